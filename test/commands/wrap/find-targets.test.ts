import { expect, test } from "bun:test";
import { rmSync, symlinkSync } from "node:fs";
import { findTargets } from "#commands/wrap/find-targets.ts";
import { journalChange } from "#state/storage/clients/wrap-journal.ts";
import { thrownBy } from "../../support/folder.ts";
import { CursorHome } from "./cast.ts";

const all = { clients: [], file: undefined, project: undefined, action: "list" } as const;
const world = (home: CursorHome) => ({ env: home.env, platform: "linux" });
const server = '{"mcpServers":{"a":{"command":"x"}}}';

test("the files of the user, of one client or of all", () => {
  using home = new CursorHome();
  const kiro = home.file(".claude.json", server);
  const files = (clients: readonly "cursor"[]) =>
    findTargets({ ...all, clients }, world(home))
      .filter(({ file }) => file.startsWith(home.path))
      .map(({ file }) => file);
  expect(files([])).toEqual([kiro, home.cursor]);
  expect(files(["cursor"])).toEqual([home.cursor]);
});

test("files that were wrapped earlier are found anywhere while they exist, but not for wrapping", () => {
  using home = new CursorHome();
  const note = {
    at: "2026-11-22T10:00:00Z",
    action: "wrap",
    client: "kiro",
    servers: ["a"],
  } as const;
  const hashes = { sha256_before: "", sha256_after: "", backup: null };
  const elsewhere = home.file("other.json", server);
  for (const file of [elsewhere, home.at("gone.json"), home.cursor]) {
    journalChange(home.state, { ...note, ...hashes, file });
  }
  const found = (action: "wrap" | "unwrap" | "list") =>
    findTargets({ ...all, action }, world(home))
      .filter(({ file }) => file.startsWith(home.path))
      .map(({ client, file }) => [client, file]);
  for (const action of ["list", "unwrap"] as const) {
    expect(found(action)).toEqual([
      ["cursor", home.cursor],
      ["kiro", elsewhere],
    ]);
  }
  // Others share it: it was named once, not for every change.
  expect(found("wrap")).toEqual([["cursor", home.cursor]]);
});

test("a project must be named and exist", () => {
  using home = new CursorHome();
  const shared = home.file(".mcp.json", server);
  const found = findTargets({ ...all, project: home.path }, world(home));
  expect(found).toContainEqual({ client: "claude-code", file: shared });
  // A file that two clients read belongs to the one that is named.
  const copilot = { ...all, clients: ["copilot-cli"], project: home.path } as const;
  expect(findTargets(copilot, world(home))).toContainEqual({
    client: "copilot-cli",
    file: shared,
  });
  const missing = { ...all, project: home.at("missing") };
  expect(thrownBy(() => findTargets(missing, world(home)))).toContain("no such folder");
  expect(thrownBy(() => findTargets({ ...all, project: shared }, world(home)))).toContain(
    "no such folder",
  );
});

test("the client of a file is named, known, or recognized by its form", () => {
  using home = new CursorHome();
  const client = (file: string, clients: readonly "kiro"[] = []) =>
    findTargets({ ...all, clients, file }, world(home))[0]?.client;
  expect(client(home.cursor)).toBe("cursor");
  expect(client(home.cursor, ["kiro"])).toBe("kiro");
  expect(client(home.file("a.json", server))).toBe("claude-code");
  expect(client(home.file("b.json", '{"servers":{"a":{"command":"x"}}}'))).toBe("vs-code");
  expect(client(home.file("c.toml", '[mcp_servers.a]\ncommand = "x"'))).toBe("codex");
  expect(client(home.file("d.yaml", "extensions:\n  a: {cmd: x}"))).toBe("goose");
  expect(client(home.file("librechat.yaml", "mcpServers: {}"))).toBe("librechat");
});

test("a file that has no servers, is missing or cannot be read is named in the error", () => {
  using home = new CursorHome();
  const said = (file: string) => thrownBy(() => findTargets({ ...all, file }, world(home)));
  expect(said(home.at("missing"))).toBe(`Cannot find the settings "${home.at("missing")}"`);
  expect(said(home.file("a.json", "{}"))).toContain("name its client, as in --settings-of");
  expect(said(home.file("b.json", "{"))).toStartWith("Cannot read the settings");
  expect(thrownBy(() => findTargets(all, { env: {}, platform: "linux" }))).toContain("set HOME");
});

test("settings that cannot be examined are found, so that reading them says why", () => {
  using home = new CursorHome();
  rmSync(home.cursor);
  symlinkSync("mcp.json", home.cursor);
  const files = findTargets(all, world(home)).map(({ file }) => file);
  expect(files).toContain(home.cursor);
  expect(findTargets({ ...all, file: home.cursor }, world(home))).toHaveLength(1);
});
