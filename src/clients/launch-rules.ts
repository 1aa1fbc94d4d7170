import type { ClientId } from "./ids.ts";
import type { PlaceholderForm } from "./placeholders.ts";

export type LaunchRule = {
  readonly clientName: string;
  readonly placeholders: PlaceholderForm;
  readonly passesOn: (variable: string) => boolean;
};

const codexVariables = new Set([
  "HOME",
  "LANG",
  "LC_ALL",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
]);

const isPassedByCodex = (variable: string): boolean =>
  codexVariables.has(variable) || /^SSL_CERT_|_CA_(?:BUNDLE|CERTS)$/.test(variable);

const isPassedByGemini = (variable: string): boolean => !variable.toUpperCase().includes("TOKEN");

const rules: { readonly [id in ClientId]?: Partial<LaunchRule> } = {
  "claude-code": { placeholders: "braces" },
  "claude-desktop": { clientName: "claude-ai" },
  codex: { clientName: "codex-mcp-client", passesOn: isPassedByCodex },
  "vs-code": { clientName: "visual studio code", placeholders: "editor" },
  cursor: { clientName: "cursor-vscode", placeholders: "editor" },
  "gemini-cli": {
    clientName: "gemini-cli-mcp-client",
    placeholders: "shell",
    passesOn: isPassedByGemini,
  },
  opencode: { placeholders: "curly" },
  "qwen-code": { clientName: "qwen-cli-mcp-client", placeholders: "shell" },
  windsurf: { placeholders: "editor" },
  "roo-code": { placeholders: "editor" },
  "cline-cli": { clientName: "@cline/core" },
  "kilo-code": { clientName: "kilo", placeholders: "curly" },
  continue: { placeholders: "secrets" },
  kiro: { placeholders: "braces" },
  kimi: { clientName: "kimi-code" },
};

/** Claude Code, Codex and Gemini CLI are measured (docs/clients.md); others are assumed to pass on all variables. Placeholders are by vendors' documents. */
export function launchRule(id: ClientId): LaunchRule {
  return { clientName: id, placeholders: "none", passesOn: () => true, ...rules[id] };
}
