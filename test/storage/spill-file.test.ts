import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { spillTo } from "#storage/spill-file.ts";
import { Folder } from "../support/folder.ts";

test("spillTo writes each text to a file that only its user can read", () => {
  using folder = new Folder();
  const keep = spillTo(folder.path, "session");
  const paths = [keep("one"), keep("two")].map(String);
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["one", "two"]);
  for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder.at("spills")).mode & 0o777).toBe(0o700);
});

test("spillTo returns undefined for what it cannot write, and overwrites nothing", () => {
  using folder = new Folder();
  expect(spillTo(undefined, "session")("x")).toBeUndefined();
  expect(spillTo(folder.file("file", ""), "session")("x")).toBeUndefined();
  expect(spillTo(folder.path, "same")("first")).toBeDefined();
  expect(spillTo(folder.path, "same")("second")).toBeUndefined();
});
