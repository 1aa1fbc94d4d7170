import type { Importer, LogForm, LogHome, LogPlace } from "../imports/importer.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { GooseReader } from "./goose/reader.ts";

/** An SQLite database of all sessions, before that one JSONL file per session. It bills by session only. */
export const goose: Importer = {
  id: "goose",
  name: "Goose",
  places: (home) => foldersOf(home).map(placeOf),
  queries: [
    // Versions differ in their columns, all of which are short.
    { table: "sessions", sql: "SELECT * FROM sessions" },
    {
      table: "messages",
      sql: `SELECT session_id, created_timestamp, CASE WHEN octet_length(content_json) <= ${importLineBytesMax} THEN content_json END AS content_json FROM messages ORDER BY rowid`,
    },
  ],
  unverified: [
    "the input of a session is taken to hold the part that was read from a cache or written to it",
    "names of tools without an extension are taken for tools of Goose itself",
  ],
  open: (file, tools) => new GooseReader(file, tools),
};

function foldersOf({ folder, env, platform }: LogHome): readonly string[] {
  const root = env["GOOSE_PATH_ROOT"];
  if (root?.startsWith("/") === true) return [`${root.replace(/\/+$/, "")}/data/sessions`];
  const xdg = env["XDG_DATA_HOME"];
  const data = xdg?.startsWith("/") === true ? xdg : `${folder}/.local/share`;
  const own = platform === "darwin" ? [`${folder}/Library/Application Support/goose/sessions`] : [];
  return [`${data}/goose/sessions`, ...own];
}

function placeOf(folder: string): LogPlace {
  return { folder, form: formOf };
}

function formOf(path: string): LogForm | undefined {
  if (path === "sessions.db") return "database";
  return /^[^/]+\.jsonl$/.test(path) && path !== "history.jsonl" ? "lines" : undefined;
}
