import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { serverNamesRememberedMax, ImportChoices } from "#state/storage/logs/last-import.ts";
import { Folder } from "../../../support/folder.ts";

test("names are added to those of earlier imports, by client, in a file for this user alone", () => {
  using folder = new Folder();
  new ImportChoices(folder.path).add([["opencode", ["docs"]]]);
  new ImportChoices(folder.path).add([
    ["opencode", ["notes", "docs"]],
    ["goose", []],
  ]);
  const remembered = new ImportChoices(folder.path);
  expect([remembered.listServers("opencode"), remembered.listServers("goose")]).toEqual([
    ["docs", "notes"],
    [],
  ]);
  expect(statSync(folder.at("servers.json")).mode & 0o777).toBe(0o600);
});

test("names that are known are not written again, and none make no file", () => {
  using folder = new Folder();
  new ImportChoices(folder.path).add([["codex", []]]);
  expect(statSync(folder.at("servers.json"), { throwIfNoEntry: false })).toBeUndefined();
  new ImportChoices(folder.path).add([["codex", ["a"]]]);
  const { ino } = statSync(folder.at("servers.json"));
  new ImportChoices(folder.path).add([["codex", ["a"]]]);
  expect(statSync(folder.at("servers.json")).ino).toBe(ino);
});

test("names of projects stay as chosen until another import chooses otherwise", () => {
  using folder = new Folder();
  const choices = () => new ImportChoices(folder.path);
  choices().add([["codex", ["a"]]], true);
  choices().add([["codex", ["b"]]]);
  expect([choices().namesProjects, choices().listServers("codex")]).toEqual([true, ["a", "b"]]);
  choices().add([], false);
  expect([choices().namesProjects, choices().listServers("codex")]).toEqual([false, ["a", "b"]]);
});

test("a file of another form is no file, and names have a limit", () => {
  using folder = new Folder();
  const file = folder.at("servers.json");
  for (const text of ["", "[]", '{"format":"x","clients":{"codex":["a"]}}', '{"clients":1}']) {
    writeFileSync(file, text);
    expect(new ImportChoices(folder.path).listServers("codex")).toEqual([]);
  }
  writeFileSync(file, '{"format":"import-servers/1","clients":{"codex":["a",5,""],"amp":7}}');
  expect(new ImportChoices(folder.path).listServers("codex")).toEqual(["a"]);
  const many = Array.from({ length: serverNamesRememberedMax + 1 }, (_, index) => `s${index}`);
  new ImportChoices(folder.path).add([["codex", many]]);
  expect(new ImportChoices(folder.path).listServers("codex")).toHaveLength(
    serverNamesRememberedMax,
  );
  expect(readFileSync(file, "utf8")).toContain("import-servers/1");
});
