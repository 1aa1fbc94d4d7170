import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { goose } from "#history/importers/goose.ts";
import { Folder } from "../../support/folder.ts";
import { logsFolder, reportOf } from "../../support/logs.ts";

class GooseHome extends Folder {
  readonly folder = this.at(".local/share/goose/sessions");

  constructor() {
    super();
    cpSync(join(logsFolder, "goose"), this.path, { recursive: true });
    using database = new Database(`${this.folder}/sessions.db`);
    database.run(
      "CREATE TABLE sessions (id TEXT PRIMARY KEY, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER, accumulated_cache_read_tokens INTEGER, model_config_json TEXT, parent_session_id TEXT)",
    );
    database.run(
      "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER)",
    );
    database
      .query(
        "INSERT INTO sessions VALUES ('s1','/secret','2026-03-14 23:50:00','2026-03-15 00:10:00',1000,50,200,?,NULL)",
      )
      .run('{"model_name":"claude-sonnet-4-6"}');
    const add = database.query(
      "INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('s1',?,?,?)",
    );
    for (const [role, content, at] of messages) add.run(role, JSON.stringify(content), at);
  }
}

function request(id: string, name: string, args: object) {
  return {
    type: "toolRequest",
    id,
    toolCall: { status: "success", value: { name, arguments: args } },
  };
}

function response(id: string, value: unknown) {
  return { type: "toolResponse", id, toolResult: { status: "success", value } };
}

const user = { annotations: { audience: ["user"] } };
const messages = [
  [
    "assistant",
    [{ type: "text", text: "go" }, request("r1", "docs__search", { q: "ä" })],
    1_773_532_205,
  ],
  [
    "user",
    [
      response("r1", {
        content: [
          { type: "text", text: "found" },
          { type: "text", text: "for you", ...user },
          { type: "image", data: "x" },
        ],
      }),
    ],
    1_773_532_206,
  ],
  [
    "assistant",
    [request("r2", "developer__shell", {}), request("r3", "docs__fetch", {})],
    1_773_532_207,
  ],
  [
    "user",
    [{ type: "toolResponse", id: "r3", toolResult: { status: "error", error: "bad" } }],
    1_773_532_208,
  ],
  ["assistant", [request("r4", "docs__search", {})], 1_773_532_209],
] as const;

test("calls have extension, tool, outcome and the text that the model read; the bill is per session", async () => {
  using home = new GooseHome();
  const report = await reportOf("goose", [home.path]);
  const rows = report.calls.map((call) => [
    call.id,
    call.server,
    call.tool,
    call.outcome,
    call.visible_bytes,
    call.images,
  ]);
  expect(rows).toEqual([
    ["20250921_143022/r9", "docs", "fetch", "ok", 3, 0],
    ["s1/r1", "docs", "search", "ok", 5, 1],
    ["s1/r3", "docs", "fetch", "tool_error", 3, 0],
    ["s1/r4", "docs", "search", "abandoned", null, 0],
  ]);
  expect(report.calls[1]).toMatchObject({ ts: "2026-03-14T23:50:05.000Z", arguments_bytes: 10 });
  expect(report.usage.requests).toBe(0);
  expect(report.usage_unlogged).toMatchObject({
    requests: 0,
    input_uncached: 810,
    cache_read: 200,
    output: 52,
  });
  expect([report.sessions, report.bad_lines, report.unknown_records]).toEqual([2, 0, 0]);
});

const listFolders = (env: Readonly<Record<string, string>>, platform = "linux") =>
  goose.findFolders({ folder: "/h", env, platform }).map(({ folder }) => folder);

test("its folder is named by its variables, or is a usual one", () => {
  expect(listFolders({})).toEqual(["/h/.local/share/goose/sessions"]);
  expect(listFolders({ XDG_DATA_HOME: "/x" })).toEqual(["/x/goose/sessions"]);
  expect(listFolders({ GOOSE_PATH_ROOT: "/g/", XDG_DATA_HOME: "/x" })).toEqual([
    "/g/data/sessions",
  ]);
  expect(listFolders({}, "darwin")[1]).toBe("/h/Library/Application Support/goose/sessions");
});

test("the database and older sessions are read, and nothing else", () => {
  const [logFolder] = goose.findFolders({ folder: "/h", env: {}, platform: "linux" });
  expect(logFolder?.detectForm("sessions.db")).toBe("database");
  expect(logFolder?.detectForm("20250921_143022.jsonl")).toBe("lines");
  for (const path of ["sessions.db-wal", "a/b.jsonl", "x.db"])
    expect(logFolder?.detectForm(path)).toBeUndefined();
});
