import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findSettingsFiles } from "#state/storage/clients/find-settings.ts";
import { Folder } from "../../../support/folder.ts";

function put(folder: Folder, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(folder.at(name)), { recursive: true });
    writeFileSync(folder.at(name), "{}");
  }
}

const home = (folder: Folder) => ({ folder: folder.at("home"), env: {}, platform: "linux" });

test("files of the user, and of a project that is named", () => {
  using folder = new Folder();
  put(folder, "home/.claude.json", "home/.cursor/mcp.json", "home/.mcp.json");
  put(folder, "home/r/.mcp.json", "home/r/.cursor/mcp.json");
  const personal = [
    { client: "claude-code", file: folder.at("home/.claude.json") },
    { client: "cursor", file: folder.at("home/.cursor/mcp.json") },
  ] as const;
  expect(findSettingsFiles(home(folder), undefined)).toEqual([...personal]);
  expect(findSettingsFiles(home(folder), folder.at("home/r"))).toEqual([
    personal[0],
    { client: "claude-code", file: folder.at("home/r/.mcp.json") },
    personal[1],
    { client: "cursor", file: folder.at("home/r/.cursor/mcp.json") },
  ]);
});

test("a file is named once, by any path", () => {
  using folder = new Folder();
  put(folder, "home/.cursor/mcp.json", "home/p/x");
  mkdirSync(folder.at("home/p/.cursor"));
  symlinkSync(folder.at("home/.cursor/mcp.json"), folder.at("home/p/.cursor/mcp.json"));
  for (const folderName of ["home", "home/p"]) {
    expect(findSettingsFiles(home(folder), folder.at(folderName))).toEqual([
      { client: "cursor", file: folder.at("home/.cursor/mcp.json") },
    ]);
  }
});
