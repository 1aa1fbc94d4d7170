import { expect, test } from "bun:test";
import {
  findApplicationFolder,
  findConfigHome,
  readFolderVariable,
} from "#history/importers/log-fields.ts";

const home = (platform: string, env: Record<string, string> = {}) => {
  return { folder: "/h", env, platform };
};

test("a variable with an absolute path is the folder", () => {
  expect(readFolderVariable(home("linux", { A: "/a//" }).env, "A")).toBe("/a");
  expect(readFolderVariable(home("win32", { A: "C:\\a\\" }).env, "A")).toBe("C:\\a");
  for (const env of [{}, { A: "" }, { A: "a" }, { A: "~/a" }]) {
    expect(readFolderVariable(home("linux", env).env, "A")).toBeUndefined();
  }
});

test("each platform has its folder for applications", () => {
  expect(findApplicationFolder(home("darwin", { XDG_CONFIG_HOME: "/x" }))).toBe(
    "/h/Library/Application Support",
  );
  expect(findApplicationFolder(home("win32", { APPDATA: "D:\\data" }))).toBe("D:\\data");
  expect(findApplicationFolder(home("linux", { XDG_CONFIG_HOME: "/x" }))).toBe("/x");
  expect(findConfigHome(home("darwin"))).toBe("/h/.config");
});
