import type { ClientId } from "./ids.ts";
import type { PlaceholderForm } from "./placeholders.ts";

/** How a client starts the servers of its settings. */
export type LaunchRule = {
  /** The name by which it introduces itself to servers. */
  readonly clientName: string;
  readonly placeholders: PlaceholderForm;
  /** True for a variable of the client's own environment that its servers get. */
  readonly passesOn: (variable: string) => boolean;
};

/** Variables that Codex passes on besides those about certificates. */
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

/** The rules that differ from those of most clients. */
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
  "kilo-code": { placeholders: "curly" },
  continue: { placeholders: "secrets" },
  kiro: { placeholders: "braces" },
};

/**
 * The rule of a client. The environments of Claude Code, Codex and Gemini CLI are measured (docs/clients.md); of every other
 * client it is assumed that servers get all of its own. Placeholders are those of the vendors' documentation.
 */
export function launchRule(id: ClientId): LaunchRule {
  return { clientName: id, placeholders: "none", passesOn: () => true, ...rules[id] };
}
