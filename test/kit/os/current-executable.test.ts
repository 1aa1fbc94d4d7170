import { expect, test } from "bun:test";
import { chmodSync, realpathSync } from "node:fs";
import { findCurrentExecutable, findProgramOnPath } from "#kit/os/current-executable.ts";
import { Folder } from "../../support/folder.ts";

test("findCurrentExecutable is the program that runs", () => {
  expect(findCurrentExecutable()).toBe(realpathSync(process.execPath));
});

test("the first program of that name is found, but not in a relative folder", () => {
  using folder = new Folder();
  const program = folder.file("x", "");
  expect(findProgramOnPath("x", `/missing:${folder.path}`)).toBeUndefined();
  chmodSync(program, 0o755);
  expect(findProgramOnPath("x", `.::/missing:${folder.path}`)).toBe(program);
  expect(findProgramOnPath("x", undefined)).toBeUndefined();
});
