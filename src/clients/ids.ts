/** Id of a client whose settings are known. */
export type ClientId = (typeof clientIds)[number];

/** Every client whose settings are known, in the order in which `doctor` names them. */
export const clientIds = [
  "claude-code",
  "claude-desktop",
  "codex",
  "vs-code",
  "cursor",
  "gemini-cli",
  "copilot-cli",
  "opencode",
  "qwen-code",
  "goose",
  "zed",
  "windsurf",
  "cline",
  "cline-cli",
  "roo-code",
  "kilo-code",
  "continue",
  "antigravity",
  "grok-build",
  "kiro",
  "kimi",
  "copilot-jetbrains",
  "junie",
  "air",
  "mastra",
  "pi",
  "librechat",
] as const;
