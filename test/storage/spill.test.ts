import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { spillTo } from "#storage/spill.ts";
import { Folder } from "../support/folder.ts";

test("each text has a file for nobody else", () => {
  using folder = new Folder();
  const keep = spillTo(folder.path, "session");
  const paths = [keep("one"), keep("two")].map(String);
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["one", "two"]);
  for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder.at("spills")).mode & 0o777).toBe(0o700);
});

test("what cannot be kept is undefined, and nothing is written over", () => {
  using folder = new Folder();
  expect(spillTo(undefined, "session")("x")).toBeUndefined();
  expect(spillTo(folder.file("file", ""), "session")("x")).toBeUndefined();
  expect(spillTo(folder.path, "same")("first")).toBeDefined();
  expect(spillTo(folder.path, "same")("second")).toBeUndefined();
});
