import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { findConfigFile } from "#storage/config-path.ts";
import { Folder } from "../support/folder.ts";

test("the named file wins, there or not", () => {
  expect(findConfigFile("mine.json", {})).toBe("mine.json");
});

test("else the user's own, when there is one", () => {
  using folder = new Folder();
  const env = { XDG_CONFIG_HOME: folder.path };
  expect(findConfigFile(undefined, env)).toBeUndefined();
  mkdirSync(folder.at("mcp-meter"));
  const file = folder.file("mcp-meter/config.json", "{}");
  expect(findConfigFile(undefined, env)).toBe(file);
  expect(findConfigFile("", env)).toBe(file);
  expect(findConfigFile(true, env)).toBe(file);
});

test("never one of the working directory", () => {
  expect(findConfigFile(undefined, {})).toBeUndefined();
  expect(findConfigFile(undefined, { XDG_CONFIG_HOME: ".", HOME: "." })).toBeUndefined();
});
