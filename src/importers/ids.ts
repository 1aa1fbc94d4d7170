/** Id of a client whose logs can be read. */
export type ImporterId = (typeof importerIds)[number];

/** Every client whose logs can be read. A list of its own, so that options load no importer. */
export const importerIds = [
  "claude-code",
  "codex",
  "gemini-cli",
  "opencode",
  "qwen-code",
  "copilot-cli",
  "goose",
  "amp",
  "vs-code",
] as const;
