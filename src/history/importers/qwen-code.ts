import type { Importer, LogForm, LogHome } from "../imports/importer.ts";
import { QwenReader } from "./qwen-code/reader.ts";

/** One JSONL file per session, as a tree of records. */
export const qwenCode: Importer = {
  id: "qwen-code",
  name: "Qwen Code",
  places: (home) => [{ folder: `${runtimeFolder(home)}/projects`, form: formOf }],
  unverified: [
    "forks and sub-agents are in no real log that was read; a fork is taken to name its originals in `forkedFrom`",
    "requests that end without an answer are not counted, because only the telemetry has them",
  ],
  settings: (home) => [
    { file: `${configFolder(home)}/settings.json`, form: "json", paths: [["mcpServers"]] },
  ],
  open: (file, tools, state) => new QwenReader(file, tools, state),
};

function runtimeFolder(home: LogHome): string {
  const named = home.env["QWEN_RUNTIME_DIR"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : configFolder(home);
}

function configFolder({ folder, env }: LogHome): string {
  const named = env["QWEN_HOME"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : `${folder}/.qwen`;
}

function formOf(path: string): LogForm | undefined {
  return /^[^/]+\/chats\/(?:.+\/)?[^/]+\.jsonl$/.test(path) ? "lines" : undefined;
}
