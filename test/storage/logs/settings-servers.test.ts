import { expect, test } from "bun:test";
import { settingsServers } from "#storage/logs/settings-servers.ts";
import { Folder } from "../../support/folder.ts";

test("names of members are read at each path, in JSON with comments and in TOML", () => {
  using folder = new Folder();
  const json = folder.file(
    "a.json",
    '{"mcpServers": {"b": {"env": {"KEY": "secret"}}}, "projects": {"/w": {"mcpServers": {"a": 1,}}} /**/}',
  );
  const toml = folder.file("c.toml", '[mcp_servers."my server"]\ncommand = "secret"\n');
  const names = settingsServers([
    { file: json, form: "json", paths: [["mcpServers"], ["projects", "*", "mcpServers"]] },
    { file: toml, form: "toml", paths: [["mcp_servers"]] },
  ]);
  expect(names).toEqual(["a", "b", "my server"]);
});

test("files that are missing or malformed have none", () => {
  using folder = new Folder();
  const bad = folder.file("bad", "{ = ");
  for (const form of ["json", "toml"] as const) {
    for (const file of [bad, folder.at("missing")]) {
      expect(settingsServers([{ file, form, paths: [["mcpServers"]] }])).toEqual([]);
    }
  }
});
