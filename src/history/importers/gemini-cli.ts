import type { Importer, LogHome } from "../imports/importer.ts";
import { GeminiReader } from "./gemini-cli/reader.ts";

/** One JSONL file per session and sub-agent, before 2026 one JSON document; deleted after 30 days. */
export const geminiCli: Importer = {
  id: "gemini-cli",
  name: "Gemini CLI",
  places: (home) => [{ folder: `${settingsHome(home)}/.gemini/tmp`, form: formOf }],
  settings: (home) => [
    {
      file: `${settingsHome(home)}/.gemini/settings.json`,
      form: "json",
      paths: [["mcpServers"]],
    },
  ],
  retention: { days: 30, setting: "sessionRetention" },
  open: (file, tools, state) => new GeminiReader(file, tools, state),
};

function settingsHome({ folder, env }: LogHome): string {
  const named = env["GEMINI_CLI_HOME"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : folder;
}

/** Below `<project>/chats` are sessions, and sub-agents in a folder of their parent; other JSON files are not sessions. */
function formOf(path: string): "lines" | "document" | undefined {
  if (!/^[^/]+\/chats\//.test(path)) return undefined;
  if (path.endsWith(".jsonl")) return "lines";
  return /\/session-[^/]*\.json$/.test(path) ? "document" : undefined;
}
