export type ImporterId = (typeof importerIds)[number];

// The ids have a separate file, so that parsing options does not load the importers.
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
  "kilo-code",
  "cline",
  "roo-code",
  "kimi-code",
  "crush",
  "continue",
] as const;
