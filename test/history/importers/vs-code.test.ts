import { expect, test } from "bun:test";
import { vsCode } from "#history/importers/vs-code.ts";

const listFolders = (env: Readonly<Record<string, string>>, platform: string) =>
  vsCode.findFolders({ folder: "/h", env, platform }).map(({ folder }) => folder);

test("its folders depend on platform and product", () => {
  expect(listFolders({}, "linux")).toContain("/h/.config/VSCodium/User/workspaceStorage");
  expect(listFolders({ XDG_CONFIG_HOME: "/x" }, "linux")[0]).toBe("/x/Code/User/workspaceStorage");
  expect(listFolders({}, "darwin")[1]).toBe(
    "/h/Library/Application Support/Code/User/globalStorage/emptyWindowChatSessions",
  );
  expect(listFolders({ APPDATA: "C:/R" }, "win32")[0]).toBe("C:/R/Code/User/workspaceStorage");
});

test("sessions are read, and the folders of extensions are not searched", () => {
  const [logFolder] = vsCode.findFolders({ folder: "/h", env: {}, platform: "linux" });
  const id = "0f3c2a10-0000-4000-8000-000000000001";
  expect(logFolder?.detectForm(`a1/chatSessions/${id}.jsonl`)).toBe("lines");
  expect(logFolder?.detectForm(`a1/chatSessions/${id}.json`)).toBe("document");
  expect(logFolder?.detectForm("a1/chatSessions/index.json")).toBeUndefined();
  expect(logFolder?.detectForm("a1/state.vscdb")).toBeUndefined();
  expect(logFolder?.mayEnter?.("a1")).toBe(true);
  expect(logFolder?.mayEnter?.("a1/chatSessions")).toBe(true);
  expect(logFolder?.mayEnter?.("a1/redhat.java")).toBe(false);
});

test("names of servers are in the settings of each product", () => {
  const files = vsCode.findSettings?.({ folder: "/h", env: {}, platform: "linux" }) ?? [];
  expect(files[0]).toEqual({
    file: "/h/.config/Code/User/mcp.json",
    form: "json",
    paths: [["servers"]],
  });
  expect(files).toHaveLength(3);
});
