import type { Importer, LogForm, LogHome } from "../imports/importer.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { OpenCodeReader } from "./opencode/reader.ts";

const data = `CASE WHEN octet_length(data) <= ${importLineBytesMax} THEN data END AS data`;

/** An SQLite database per release channel; before 2026 one JSON file per message and part. */
export const openCode: Importer = {
  id: "opencode",
  name: "OpenCode",
  places: (home) => [{ folder: dataFolder(home), form: formOf }],
  settings: (home) =>
    ["opencode.json", "opencode.jsonc"].map((name) => ({
      file: `${configFolder(home)}/${name}`,
      form: "json",
      paths: [["mcp"]],
    })),
  // Messages before parts: a part is counted for the model of its message.
  queries: [
    { table: "session", sql: "SELECT id, parent_id, version, directory FROM session" },
    { table: "message", sql: `SELECT id, session_id, ${data} FROM message ORDER BY rowid` },
    { table: "part", sql: `SELECT id, message_id, session_id, ${data} FROM part ORDER BY rowid` },
  ],
  unverified: [
    "where a message has no total, its reasoning is taken to be next to its output, and the session is marked as approximate",
  ],
  open: (file, tools) => new OpenCodeReader(file, tools),
};

function dataFolder({ folder, env }: LogHome): string {
  const named = env["OPENCODE_DATA_DIR"];
  if (named?.startsWith("/") === true) return named.replace(/\/+$/, "");
  const xdg = env["XDG_DATA_HOME"];
  return `${xdg?.startsWith("/") === true ? xdg : `${folder}/.local/share`}/opencode`;
}

function configFolder({ folder, env }: LogHome): string {
  const xdg = env["XDG_CONFIG_HOME"];
  return `${xdg?.startsWith("/") === true ? xdg : `${folder}/.config`}/opencode`;
}

function formOf(path: string): LogForm | undefined {
  if (/^opencode(?:-[^/]+)?\.db$/.test(path)) return "database";
  return /^storage\/(?:session|message|part)\/[^/]+\/[^/]+\.json$/.test(path)
    ? "document"
    : undefined;
}
