import type { UserHome } from "#history/imports/importer.ts";
import {
  findApplicationFolder,
  findConfigHome,
  readFolderVariable,
} from "#history/importers/log-fields.ts";
import type { ClientSettings } from "./configured-entries.ts";
import type { ClientId } from "./ids.ts";

const common = {
  language: "json",
  serverPaths: [["mcpServers"]],
  entryForms: ["command"],
  projectFiles: [],
  restartTarget: "session",
} as const;

const commonToml = { ...common, language: "toml", serverPaths: [["mcp_servers"]] } as const;

const editor = { ...common, restartTarget: "servers" } as const;

export const clients: { readonly [id in ClientId]: ClientSettings } = {
  "claude-code": {
    ...common,
    name: "Claude Code",
    files: (home) => [
      `${readFolderVariable(home.env, "CLAUDE_CONFIG_DIR") ?? home.folder}/.claude.json`,
    ],
    serverPaths: [["mcpServers"], ["projects", "*", "mcpServers"]],
    projectFiles: [".mcp.json"],
  },
  "claude-desktop": {
    ...common,
    name: "Claude Desktop",
    files: (home) => [`${findApplicationFolder(home)}/Claude/claude_desktop_config.json`],
    restartTarget: "application",
  },
  codex: {
    ...commonToml,
    name: "Codex CLI",
    files: (home) => [`${resolveClientFolder(home, "CODEX_HOME", ".codex")}/config.toml`],
    projectFiles: [".codex/config.toml"],
  },
  "vs-code": {
    ...editor,
    name: "VS Code",
    files: (home) => listVsCodeFiles(home, "mcp.json"),
    serverPaths: [["servers"]],
    projectFiles: [".vscode/mcp.json"],
  },
  cursor: {
    ...editor,
    name: "Cursor",
    files: ({ folder }) => [`${folder}/.cursor/mcp.json`],
    projectFiles: [".cursor/mcp.json"],
  },
  "gemini-cli": {
    ...common,
    name: "Gemini CLI",
    files: (home) => [
      `${readFolderVariable(home.env, "GEMINI_CLI_HOME") ?? home.folder}/.gemini/settings.json`,
    ],
    projectFiles: [".gemini/settings.json"],
  },
  "copilot-cli": {
    ...common,
    name: "Copilot CLI",
    files: (home) => [`${resolveClientFolder(home, "COPILOT_HOME", ".copilot")}/mcp-config.json`],
    projectFiles: [".mcp.json", ".github/mcp.json"],
  },
  opencode: {
    ...common,
    name: "OpenCode",
    files: (home) => addJsonEndings(`${findConfigHome(home)}/opencode/opencode`),
    // OpenCode 2 keeps its servers one level deeper.
    serverPaths: [["mcp"], ["mcp", "servers"]],
    entryForms: ["array"],
    projectFiles: ["", ".opencode/"].flatMap((folder) => addJsonEndings(`${folder}opencode`)),
  },
  "qwen-code": {
    ...common,
    name: "Qwen Code",
    files: (home) => [`${resolveClientFolder(home, "QWEN_HOME", ".qwen")}/settings.json`],
    projectFiles: [".qwen/settings.json"],
  },
  goose: {
    ...common,
    language: "yaml",
    name: "Goose",
    files: (home) => [
      home.platform === "win32"
        ? `${findApplicationFolder(home)}/Block/goose/config/config.yaml`
        : `${findConfigHome(home)}/goose/config.yaml`,
    ],
    serverPaths: [["extensions"]],
    entryForms: ["cmd"],
  },
  zed: {
    ...editor,
    name: "Zed",
    files: (home) => [
      home.platform === "darwin" || home.platform === "win32"
        ? `${findApplicationFolder(home)}/Zed/settings.json`
        : `${findConfigHome(home)}/zed/settings.json`,
    ],
    serverPaths: [["context_servers"]],
    entryForms: ["command", "nested"],
    projectFiles: [".zed/settings.json"],
  },
  windsurf: {
    ...editor,
    name: "Windsurf",
    files: ({ folder }) => [`${folder}/.codeium/windsurf/mcp_config.json`],
  },
  cline: {
    ...editor,
    name: "Cline",
    files: (home) =>
      listVsCodeFiles(
        home,
        "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
      ),
  },
  "cline-cli": {
    ...common,
    name: "Cline CLI",
    files: (home) => [
      `${resolveClientFolder(home, "CLINE_DIR", ".cline")}/data/settings/cline_mcp_settings.json`,
    ],
  },
  "roo-code": {
    ...editor,
    name: "Roo Code",
    files: (home) =>
      listVsCodeFiles(home, "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
    projectFiles: [".roo/mcp.json"],
  },
  "kilo-code": {
    ...editor,
    name: "Kilo Code",
    files: (home) => addJsonEndings(`${findConfigHome(home)}/kilo/kilo`),
    serverPaths: [["mcp"]],
    entryForms: ["array"],
    projectFiles: addJsonEndings("kilo"),
  },
  continue: {
    ...editor,
    language: "yaml",
    name: "Continue",
    files: ({ folder }) => [`${folder}/.continue/config.yaml`],
    blockFolder: ".continue/mcpServers",
  },
  antigravity: {
    ...editor,
    name: "Antigravity",
    files: ({ folder }) => [`${folder}/.gemini/config/mcp_config.json`],
  },
  "grok-build": {
    ...commonToml,
    name: "Grok Build",
    files: (home) => [`${resolveClientFolder(home, "GROK_HOME", ".grok")}/config.toml`],
    projectFiles: [".grok/config.toml"],
  },
  kiro: {
    ...editor,
    name: "Kiro",
    files: ({ folder }) => [`${folder}/.kiro/settings/mcp.json`],
    projectFiles: [".kiro/settings/mcp.json"],
  },
  kimi: {
    ...common,
    name: "Kimi",
    files: (home) => [`${resolveClientFolder(home, "KIMI_CODE_HOME", ".kimi-code")}/mcp.json`],
    projectFiles: [".kimi-code/mcp.json"],
  },
  "copilot-jetbrains": {
    ...editor,
    name: "Copilot for JetBrains",
    files: (home) => [`${findConfigHome(home)}/github-copilot/intellij/mcp.json`],
    serverPaths: [["servers"]],
  },
  junie: {
    ...common,
    name: "Junie",
    files: ({ folder }) => [`${folder}/.junie/mcp/mcp.json`],
    projectFiles: [".junie/mcp/mcp.json"],
  },
  air: {
    ...common,
    restartTarget: "application",
    name: "JetBrains Air",
    files: () => [],
    projectFiles: [".air/mcp.json"],
  },
  mastra: {
    ...common,
    name: "Mastra Code",
    files: ({ folder }) => [`${folder}/.mastracode/mcp.json`],
    projectFiles: [".mastracode/mcp.json"],
  },
  pi: {
    ...common,
    name: "Pi",
    files: (home) => [
      `${readFolderVariable(home.env, "PI_CODING_AGENT_DIR") ?? `${home.folder}/.pi/agent`}/mcp.json`,
    ],
    projectFiles: [".pi/mcp.json"],
  },
  librechat: {
    ...common,
    language: "yaml",
    name: "LibreChat",
    restartTarget: "application",
    files: () => [],
    projectFiles: ["librechat.yaml"],
  },
};

function resolveClientFolder(home: UserHome, variable: string, name: string): string {
  return readFolderVariable(home.env, variable) ?? `${home.folder}/${name}`;
}

function listVsCodeFiles(home: UserHome, path: string): readonly string[] {
  const products = ["Code", "Code - Insiders", "VSCodium"];
  return products.map((product) => `${findApplicationFolder(home)}/${product}/User/${path}`);
}

function addJsonEndings(path: string): readonly string[] {
  return [`${path}.json`, `${path}.jsonc`];
}
