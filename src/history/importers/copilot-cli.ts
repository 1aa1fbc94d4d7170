import type { Importer, LogForm, LogHome } from "../imports/importer.ts";
import { CopilotReader } from "./copilot-cli/reader.ts";

export const copilotCli: Importer = {
  id: "copilot-cli",
  name: "Copilot CLI",
  places: (home) => [{ folder: `${settingsFolder(home)}/session-state`, form: formOf }],
  unverified: [
    "the input is taken to hold the parts that the cache was read and written for, for every maker of models",
    "compactions and sub-agents are in no real log that was read",
  ],
  settings: (home) => [
    { file: `${settingsFolder(home)}/mcp-config.json`, form: "json", paths: [["mcpServers"]] },
  ],
  open: (file, tools, state) => new CopilotReader(file, tools, state),
};

function settingsFolder({ folder, env }: LogHome): string {
  const named = env["COPILOT_HOME"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : `${folder}/.copilot`;
}

/** Older versions have the events in one file next to the folders. */
function formOf(path: string): LogForm | undefined {
  return /^[^/]+\/events\.jsonl$|^[^/]+\.jsonl$/.test(path) && path !== "history.jsonl"
    ? "lines"
    : undefined;
}
