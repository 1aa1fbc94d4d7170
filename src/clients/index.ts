import type { LogHome } from "#imports/importer.ts";
import type { ClientSettings } from "./client-settings.ts";
import { applicationFolder, configHome, namedFolder } from "./folders.ts";
import type { ClientId } from "./ids.ts";

/** JSON with `mcpServers`, each a `command` with `args`: so do most clients. */
const common = { form: "json", paths: [["mcpServers"]], entries: ["command"] } as const;

const commonToml = { form: "toml", paths: [["mcp_servers"]], entries: ["command"] } as const;

/** The settings of every known client, by its id. */
export const clients: { readonly [id in ClientId]: ClientSettings } = {
  "claude-code": {
    ...common,
    name: "Claude Code",
    files: (home) => [`${namedFolder(home, "CLAUDE_CONFIG_DIR", home.folder)}/.claude.json`],
    paths: [["mcpServers"], ["projects", "*", "mcpServers"]],
  },
  "claude-desktop": {
    ...common,
    name: "Claude Desktop",
    files: (home) => [`${applicationFolder(home)}/Claude/claude_desktop_config.json`],
  },
  codex: {
    ...commonToml,
    name: "Codex CLI",
    files: (home) => [`${ownFolder(home, "CODEX_HOME", ".codex")}/config.toml`],
  },
  "vs-code": {
    ...common,
    name: "VS Code",
    files: (home) => codeFiles(home, "mcp.json"),
    paths: [["servers"]],
  },
  cursor: { ...common, name: "Cursor", files: ({ folder }) => [`${folder}/.cursor/mcp.json`] },
  "gemini-cli": {
    ...common,
    name: "Gemini CLI",
    files: (home) => [`${namedFolder(home, "GEMINI_CLI_HOME", home.folder)}/.gemini/settings.json`],
  },
  "copilot-cli": {
    ...common,
    name: "Copilot CLI",
    files: (home) => [`${ownFolder(home, "COPILOT_HOME", ".copilot")}/mcp-config.json`],
  },
  opencode: {
    form: "json",
    name: "OpenCode",
    files: (home) => eitherEnding(`${configHome(home)}/opencode/opencode`),
    // Version 2 has its servers one level deeper.
    paths: [["mcp"], ["mcp", "servers"]],
    entries: ["list"],
  },
  "qwen-code": {
    ...common,
    name: "Qwen Code",
    files: (home) => [`${ownFolder(home, "QWEN_HOME", ".qwen")}/settings.json`],
  },
  goose: {
    form: "yaml",
    name: "Goose",
    files: (home) => [
      home.platform === "win32"
        ? `${applicationFolder(home)}/Block/goose/config/config.yaml`
        : `${configHome(home)}/goose/config.yaml`,
    ],
    paths: [["extensions"]],
    entries: ["cmd"],
  },
  zed: {
    form: "json",
    name: "Zed",
    files: (home) => [
      home.platform === "darwin" || home.platform === "win32"
        ? `${applicationFolder(home)}/Zed/settings.json`
        : `${configHome(home)}/zed/settings.json`,
    ],
    paths: [["context_servers"]],
    entries: ["command", "path"],
  },
  windsurf: {
    ...common,
    name: "Windsurf",
    files: ({ folder }) => [`${folder}/.codeium/windsurf/mcp_config.json`],
  },
  cline: {
    ...common,
    name: "Cline",
    files: (home) =>
      codeFiles(home, "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
  },
  "cline-cli": {
    ...common,
    name: "Cline CLI",
    files: (home) => [
      `${ownFolder(home, "CLINE_DIR", ".cline")}/data/settings/cline_mcp_settings.json`,
    ],
  },
  "roo-code": {
    ...common,
    name: "Roo Code",
    files: (home) =>
      codeFiles(home, "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
  },
  "kilo-code": {
    form: "json",
    name: "Kilo Code",
    files: (home) => eitherEnding(`${configHome(home)}/kilo/kilo`),
    paths: [["mcp"]],
    entries: ["list"],
  },
  continue: {
    form: "yaml",
    name: "Continue",
    files: ({ folder }) => [`${folder}/.continue/config.yaml`],
    paths: [["mcpServers"]],
    entries: ["command"],
  },
  antigravity: {
    ...common,
    name: "Antigravity",
    files: ({ folder }) => [`${folder}/.gemini/config/mcp_config.json`],
  },
  "grok-build": {
    ...commonToml,
    name: "Grok Build",
    files: (home) => [`${ownFolder(home, "GROK_HOME", ".grok")}/config.toml`],
  },
  kiro: { ...common, name: "Kiro", files: ({ folder }) => [`${folder}/.kiro/settings/mcp.json`] },
  kimi: { ...common, name: "Kimi", files: ({ folder }) => [`${folder}/.kimi-code/mcp.json`] },
};

/** The folder that a variable names, else one in the home. */
function ownFolder(home: LogHome, variable: string, name: string): string {
  return namedFolder(home, variable, `${home.folder}/${name}`);
}

function codeFiles(home: LogHome, path: string): readonly string[] {
  const products = ["Code", "Code - Insiders", "VSCodium"];
  return products.map((product) => `${applicationFolder(home)}/${product}/User/${path}`);
}

function eitherEnding(path: string): readonly string[] {
  return [`${path}.json`, `${path}.jsonc`];
}
