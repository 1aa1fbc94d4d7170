import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { clients } from "#clients/index.ts";
import {
  blockFilesMax,
  listProjectFiles,
  listUserFiles,
} from "#state/storage/clients/find-settings.ts";
import { Folder } from "../../../support/folder.ts";

const home = (folder: Folder) => ({ folder: folder.path, env: {}, platform: "linux" });

test("Continue has each YAML file of a folder, in the home and in a project", () => {
  using folder = new Folder();
  const blocks = folder.at(".continue", "mcpServers");
  expect(listUserFiles(clients.continue, home(folder))).toEqual([
    folder.at(".continue/config.yaml"),
  ]);
  mkdirSync(blocks, { recursive: true });
  for (const name of ["b.yml", "a.yaml", "c.json", "yaml", "d.yaml.bak"]) {
    writeFileSync(`${blocks}/${name}`, "");
  }
  const found = ["a.yaml", "b.yml"].map((name) => `${blocks}/${name}`);
  expect(listUserFiles(clients.continue, home(folder))).toEqual([
    folder.at(".continue/config.yaml"),
    ...found,
  ]);
  expect(listProjectFiles(clients.continue, folder.path)).toEqual(found);
});

test("clients without such a folder have the files of their table", () => {
  using folder = new Folder();
  expect(listUserFiles(clients.cursor, home(folder))).toEqual([folder.at(".cursor/mcp.json")]);
  expect(listProjectFiles(clients.cursor, folder.path)).toEqual([folder.at(".cursor/mcp.json")]);
});

test("a folder has a limit", () => {
  using folder = new Folder();
  const blocks = folder.at(".continue", "mcpServers");
  mkdirSync(blocks, { recursive: true });
  for (let at = 0; at <= blockFilesMax; at += 1) writeFileSync(`${blocks}/${at}.yaml`, "");
  expect(listProjectFiles(clients.continue, folder.path)).toHaveLength(blockFilesMax);
});
