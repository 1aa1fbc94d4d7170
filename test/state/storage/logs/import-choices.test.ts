import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { serverNamesRememberedMax, RememberedServers } from "#state/storage/logs/known-import.ts";
import { Folder } from "../../../support/folder.ts";

test("names are added to those of earlier imports, by client, in a file for this user alone", () => {
  using folder = new Folder();
  new RememberedServers(folder.path).add([["opencode", ["docs"]]]);
  new RememberedServers(folder.path).add([
    ["opencode", ["notes", "docs"]],
    ["goose", []],
  ]);
  const remembered = new RememberedServers(folder.path);
  expect([remembered.listServers("opencode"), remembered.listServers("goose")]).toEqual([
    ["docs", "notes"],
    [],
  ]);
  expect(statSync(folder.at("servers.json")).mode & 0o777).toBe(0o600);
});

test("names that are known are not written again, and none make no file", () => {
  using folder = new Folder();
  new RememberedServers(folder.path).add([["codex", []]]);
  expect(statSync(folder.at("servers.json"), { throwIfNoEntry: false })).toBeUndefined();
  new RememberedServers(folder.path).add([["codex", ["a"]]]);
  const { ino } = statSync(folder.at("servers.json"));
  new RememberedServers(folder.path).add([["codex", ["a"]]]);
  expect(statSync(folder.at("servers.json")).ino).toBe(ino);
});

test("a file of another form is no file, and names have a limit", () => {
  using folder = new Folder();
  const file = folder.at("servers.json");
  for (const text of ["", "[]", '{"format":"x","clients":{"codex":["a"]}}', '{"clients":1}']) {
    writeFileSync(file, text);
    expect(new RememberedServers(folder.path).listServers("codex")).toEqual([]);
  }
  writeFileSync(file, '{"format":"import-servers/1","clients":{"codex":["a",5,""],"amp":7}}');
  expect(new RememberedServers(folder.path).listServers("codex")).toEqual(["a"]);
  const many = Array.from({ length: serverNamesRememberedMax + 1 }, (_, index) => `s${index}`);
  new RememberedServers(folder.path).add([["codex", many]]);
  expect(new RememberedServers(folder.path).listServers("codex")).toHaveLength(
    serverNamesRememberedMax,
  );
  expect(readFileSync(file, "utf8")).toContain("import-servers/1");
});
