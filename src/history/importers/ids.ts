export type ImporterId = (typeof importerIds)[number];

// A separate file, so that parsing options loads no importer.
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
