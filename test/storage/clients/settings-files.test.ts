import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { projectFoldersMax } from "#limits/wrapping.ts";
import { settingsFiles } from "#storage/clients/settings-files.ts";
import { Folder } from "../../support/folder.ts";

function put(folder: Folder, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(folder.at(name)), { recursive: true });
    writeFileSync(folder.at(name), "{}");
  }
}

const home = (folder: Folder) => ({ folder: folder.at("home"), env: {}, platform: "linux" });

test("files of the user and of the projects around, up to a repository", () => {
  using folder = new Folder();
  put(folder, "home/.claude.json", "home/.cursor/mcp.json", "home/r/.git/HEAD", "home/.mcp.json");
  put(folder, "home/r/.mcp.json", "home/r/sub/.cursor/mcp.json", "home/r/sub/deep/x");
  const files = settingsFiles(home(folder), folder.at("home/r/sub/deep"));
  expect(files).toEqual([
    { client: "claude-code", file: folder.at("home/.claude.json"), isProject: false },
    { client: "claude-code", file: folder.at("home/r/.mcp.json"), isProject: true },
    { client: "cursor", file: folder.at("home/.cursor/mcp.json"), isProject: false },
    { client: "cursor", file: folder.at("home/r/sub/.cursor/mcp.json"), isProject: true },
  ]);
});

test("in the home there is no project, and a file is named once, by any path", () => {
  using folder = new Folder();
  put(folder, "home/.cursor/mcp.json", "home/p/x");
  mkdirSync(folder.at("home/p/.cursor"));
  symlinkSync(folder.at("home/.cursor/mcp.json"), folder.at("home/p/.cursor/mcp.json"));
  for (const place of ["home", "home/p"]) {
    expect(settingsFiles(home(folder), folder.at(place))).toEqual([
      { client: "cursor", file: folder.at("home/.cursor/mcp.json"), isProject: false },
    ]);
  }
});

test("folders are looked up to a limit", () => {
  using folder = new Folder();
  put(folder, ".mcp.json");
  const below = (depth: number) =>
    settingsFiles(home(folder), folder.at(...Array.from({ length: depth }, () => "d")));
  expect(below(projectFoldersMax - 1)).toHaveLength(1);
  expect(below(projectFoldersMax)).toHaveLength(0);
});
