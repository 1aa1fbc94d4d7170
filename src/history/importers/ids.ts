export type ImporterId = (typeof importerIds)[number];

/** Apart, so that options load no importer. */
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
