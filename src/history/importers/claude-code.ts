import type { Importer, LogHome, LogPlace, ServerSettings } from "../imports/importer.ts";
import { ClaudeCodeReader } from "./claude-code/reader.ts";

/** One JSONL file per session and sub-agent, deleted after 30 days by default. */
export const claudeCode: Importer = {
  id: "claude-code",
  name: "Claude Code",
  places: (home) => configFolders(home).map(projectsPlace),
  settings: settingsFiles,
  retention: { days: 30, setting: "cleanupPeriodDays" },
  open: (file, tools, state) => new ClaudeCodeReader(file, tools, state),
};

function configFolders({ folder, env }: LogHome): readonly string[] {
  const named = (env["CLAUDE_CONFIG_DIR"] ?? "").split(",").map((entry) => entry.trim());
  const absolute = named.filter((entry) => entry.startsWith("/") || /^[A-Za-z]:[\\/]/.test(entry));
  if (absolute.length > 0) return absolute;
  const xdg = env["XDG_CONFIG_HOME"];
  const config = xdg?.startsWith("/") === true ? xdg : `${folder}/.config`;
  return [`${config}/claude`, `${folder}/.claude`];
}

function settingsFiles({ folder, env }: LogHome): readonly ServerSettings[] {
  const named = env["CLAUDE_CONFIG_DIR"];
  const base = named?.startsWith("/") === true && !named.includes(",") ? named : folder;
  const paths = [["mcpServers"], ["projects", "*", "mcpServers"]];
  return [{ file: `${base}/.claude.json`, form: "json", paths }];
}

function projectsPlace(config: string): LogPlace {
  const trimmed = config.replace(/[\\/]+$/, "");
  return {
    folder: /(?:^|[\\/])projects$/.test(trimmed) ? trimmed : `${trimmed}/projects`,
    form: (path) => (isSession(path) ? "lines" : undefined),
  };
}

/** Other files there: answers that were too long, which no model read, and the user's history of prompts. */
function isSession(path: string): boolean {
  const isOther = path.includes("/tool-results/") || path.endsWith("/history.jsonl");
  return path.endsWith(".jsonl") && path.includes("/") && !isOther;
}
