import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importerIds } from "#history/importers/ids.ts";
import { importers } from "#history/importers/index.ts";
import { DatabaseHome } from "../../support/database-home.ts";
import { eventsOf, plainUtils, reportOf } from "../../support/logs.ts";
import { OpenCodeHome } from "../../support/opencode-home.ts";

const notes = readFileSync(join(import.meta.dir, "../../../docs/notes/logs.md"), "utf8");

// Files with secrets, prompts, or answers that no model read.
const closed = [
  ".credentials.json",
  "auth.json",
  "oauth_creds.json",
  "history.jsonl",
  "a/history.jsonl",
  "-work/1/tool-results/toolu_1.json",
  "-work/1/tool-results/toolu_1.jsonl",
  "shell-snapshots/1.sh",
];

const oddValues = [null, 0, -1, "", "x", [], {}, true, [[]], [null], { type: null }, [{ id: 1 }]];

describe.each(importerIds)("%s", (id) => {
  const importer = importers[id];

  test("has a name", () => {
    expect(importer.name).not.toBe("");
  });

  test("states in the notes which facts no log has confirmed", () => {
    for (const fact of importer.unverified ?? []) expect(notes).toContain(`- ${fact}\n`);
    expect(notes.includes(`**${importer.name}**`)).toBe(importer.unverified !== undefined);
  });

  test("searches absolute folders below the home, and takes no secret for a session", () => {
    const places = importer.findFolders({ folder: "/h", env: {}, platform: "linux" });
    expect(places.length).toBeGreaterThan(0);
    for (const { folder, detectForm } of places) {
      expect(folder).toStartWith("/h/");
      expect(closed.filter((path) => detectForm(path) !== undefined)).toEqual([]);
    }
  });

  test("has settings below the home, with the names of servers in them", () => {
    const settings = importer.findSettings?.({ folder: "/h", env: {}, platform: "linux" }) ?? [];
    for (const { file, paths } of settings) {
      expect(file).toStartWith("/h/");
      expect(paths.flat()).not.toContain("");
    }
  });

  test("reads lines of any form without a failure", () => {
    const events: unknown[] = [];
    const emit = (event: unknown): void => void events.push(event);
    const tools = { ...plainUtils, emit, countBad: () => {}, countUnknown: () => {} };
    const reader = importer.open("a/b.jsonl", tools);
    for (const value of oddValues) reader.take({ type: value, message: value, payload: value });
    expect(JSON.stringify(events)).toStartWith("[");
  });

  test("has the expected totals of its example home, field by field, also from two copies", async () => {
    using made = id === "opencode" ? new OpenCodeHome() : new DatabaseHome(id);
    const home = made.path;
    const { about, ...expected } = JSON.parse(readFileSync(join(home, "expected.json"), "utf8"));
    expect(about).toBeString();
    const once = await reportOf(id, [home], expected.known_servers);
    expect(once).toEqual({ ...once, ...expected });
    expect(once.rejected_calls).toEqual({ denied: 0, unknown_tool: 0 });
    expect(once.usage_unlogged.requests).toBe(0);
    const twice = await reportOf(id, [home, home], expected.known_servers);
    const counts = ["files_read", "torn_lines", "bad_lines", "unknown_records"] as const;
    const doubled = Object.fromEntries(counts.map((name) => [name, 2 * once[name]]));
    expect(twice).toEqual({ ...once, ...doubled });
  });
});

const folder = "/work/demo";

function nameProject(path: string): string {
  return `name of ${path}`;
}

test.each([
  ["claude-code", { type: "assistant", sessionId: "s", cwd: folder }],
  ["codex", { type: "session_meta", payload: { id: "s", cwd: folder } }],
  ["opencode", { table: "session", row: { id: "s", directory: folder } }],
  ["kilo-code", { table: "session", row: { id: "s", directory: folder } }],
  ["qwen-code", { type: "user", sessionId: "s", cwd: folder }],
  ["copilot-cli", { type: "session.start", data: { sessionId: "s", context: { cwd: folder } } }],
  ["goose", { table: "sessions", row: { id: "s", working_dir: folder } }],
  ["cline", { session_id: "s", workspace_root: folder }],
  ["kimi-code", { cwd: folder }],
  ["continue", { sessionId: "s", history: [], workspaceDirectory: folder }],
] as const)("%s names the project of a session", (id, line) => {
  const { events } = eventsOf(
    (tools) => importers[id].open("s", { ...tools, nameProject }),
    [line],
  );
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "conversation", projectName: "name of /work/demo" }),
  );
});
