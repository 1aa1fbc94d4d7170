import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import {
  clientSettingsBytesMax,
  clientYamlBytesMax,
  readClientFile,
} from "#state/storage/clients/read-settings.ts";
import { Folder } from "../../../support/folder.ts";

test("a file that is missing is no fault, and an empty one has no value", () => {
  using folder = new Folder();
  expect(readClientFile(folder.at("missing"), "json")).toBeUndefined();
  const file = folder.file("empty", " \n");
  expect(readClientFile(file, "json")).toEqual({ value: undefined });
  expect(readClientFile(`${file}/below`, "json")).toBeUndefined();
});

test("a link to a file is followed, a folder is a fault", () => {
  using folder = new Folder();
  symlinkSync(folder.file("a", '\uFEFF{"b": 1, /**/}'), folder.at("link"));
  expect(readClientFile(folder.at("link"), "json")).toEqual({ value: { b: 1 } });
  mkdirSync(folder.at("folder"));
  expect(readClientFile(folder.at("folder"), "json")).toEqual({ fault: "EISDIR" });
});

test("the last of two members with one name counts, as for clients", () => {
  using folder = new Folder();
  const file = folder.file("a", '{"b": 1, "b": 2}');
  expect(readClientFile(file, "json")).toEqual({ value: { b: 2 } });
});

test("a malformed file is a fault that quotes nothing of it", () => {
  using folder = new Folder();
  const bad = folder.file("bad", "a:\n  [secret: *secret");
  expect(readClientFile(bad, "yaml")).toEqual({
    fault: "it cannot be read as YAML",
    line: 2,
    column: expect.any(Number),
  });
  expect(readClientFile(folder.file("toml", '[a]\nb = "secret\n'), "toml")).toEqual({
    fault: "it cannot be read as TOML",
    line: 2,
    column: 12,
  });
  expect(readClientFile(folder.file("json", '{\n"a": }'), "json")).toEqual({
    fault: "not valid JSON: a value is missing",
    line: 2,
    column: 6,
  });
});

test("deep nesting and long files are faults", () => {
  using folder = new Folder();
  const deep = folder.file("deep", `a = ${"[".repeat(500_000)}`);
  const list = folder.file("list", "[".repeat(2_000_000));
  expect(readClientFile(deep, "toml")).toHaveProperty("fault");
  expect(readClientFile(list, "json")).toHaveProperty("fault", "nested too deeply");
  expect(readClientFile(folder.file("flow", "[".repeat(50_000)), "yaml")).toHaveProperty("fault");
  const long = folder.file("long", " ".repeat(clientSettingsBytesMax + 1));
  expect(readClientFile(long, "json")).toHaveProperty("fault");
  const yaml = folder.file("yaml", " ".repeat(clientYamlBytesMax + 1));
  expect(readClientFile(yaml, "yaml")).toHaveProperty("fault");
});
