import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fdWriter } from "#os/terminal.ts";
import { Folder } from "../support/folder.ts";

test("writes all of a text to a file, which is no terminal and has no columns", () => {
  using folder = new Folder();
  const fd = openSync(folder.at("out"), "w");
  const writer = fdWriter(fd, { COLUMNS: "80" });
  writer.write("é".repeat(100_000));
  writer.write("\nmore");
  expect([writer.isTerminal, writer.columns]).toEqual([false, undefined]);
  closeSync(fd);
  expect(readFileSync(folder.at("out"), "utf8")).toBe(`${"é".repeat(100_000)}\nmore`);
});

test("a descriptor that is closed or full loses the text and nothing else", () => {
  const full = openSync("/dev/full", "w");
  fdWriter(full, {}).write("lost");
  closeSync(full);
  fdWriter(full, {}).write("lost too");
});
