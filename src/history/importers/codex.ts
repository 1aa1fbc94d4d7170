import type { Importer, LogHome, LogPlace } from "../imports/importer.ts";
import { CodexReader } from "./codex/reader.ts";

/** One JSONL file per thread, which may be compressed or archived. */
export const codex: Importer = {
  id: "codex",
  name: "Codex CLI",
  // A file that is in both folders is read once, from the first.
  places: (home) => ["sessions", "archived_sessions"].map((name) => rolloutsIn(home, name)),
  settings: (home) => [
    { file: `${codexHome(home)}/config.toml`, form: "toml", paths: [["mcp_servers"]] },
  ],
  open: (file, tools, state) => new CodexReader(file, tools, state),
};

function codexHome({ folder, env }: LogHome): string {
  const named = env["CODEX_HOME"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : `${folder}/.codex`;
}

function rolloutsIn(home: LogHome, name: string): LogPlace {
  return {
    folder: `${codexHome(home)}/${name}`,
    form: (path) => (rollout.test(path) ? "lines" : undefined),
    // Names begin with a time and end with a random id.
    key: (path) => rollout.exec(path)?.[1] ?? path,
  };
}

const rollout = /(?:^|\/)(rollout-[^/]+\.jsonl)(?:\.zst)?$/;
