import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { findMeterWord, findServers } from "#clients/configured-entries.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";

const fixtures = join(import.meta.dir, "../fixtures/clients");

const withoutRemote = new Set([
  "claude-desktop",
  "cline",
  "cline-cli",
  "grok-build",
  "kilo-code",
  "kimi",
  "kiro",
  "roo-code",
  "zed",
]);

// The file below the home `/h`, on Linux and, where it differs, on macOS and Windows.
const places: { readonly [id in keyof typeof clients]: readonly string[] } = {
  "claude-code": [".claude.json"],
  "claude-desktop": [
    ".config/Claude/claude_desktop_config.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
    "AppData/Roaming/Claude/claude_desktop_config.json",
  ],
  codex: [".codex/config.toml"],
  "vs-code": [
    ".config/Code/User/mcp.json",
    "Library/Application Support/Code/User/mcp.json",
    "AppData/Roaming/Code/User/mcp.json",
  ],
  cursor: [".cursor/mcp.json"],
  "gemini-cli": [".gemini/settings.json"],
  "copilot-cli": [".copilot/mcp-config.json"],
  opencode: [".config/opencode/opencode.json"],
  "qwen-code": [".qwen/settings.json"],
  goose: [
    ".config/goose/config.yaml",
    ".config/goose/config.yaml",
    "AppData/Roaming/Block/goose/config/config.yaml",
  ],
  zed: [
    ".config/zed/settings.json",
    "Library/Application Support/Zed/settings.json",
    "AppData/Roaming/Zed/settings.json",
  ],
  windsurf: [".codeium/windsurf/mcp_config.json"],
  cline: [
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "AppData/Roaming/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
  ],
  "cline-cli": [".cline/data/settings/cline_mcp_settings.json"],
  "roo-code": [
    ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    "Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    "AppData/Roaming/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
  ],
  "kilo-code": [".config/kilo/kilo.json"],
  continue: [".continue/config.yaml"],
  antigravity: [".gemini/config/mcp_config.json"],
  "grok-build": [".grok/config.toml"],
  kiro: [".kiro/settings/mcp.json"],
  kimi: [".kimi-code/mcp.json"],
  "copilot-jetbrains": [".config/github-copilot/intellij/mcp.json"],
  junie: [".junie/mcp/mcp.json"],
  air: [".air/mcp.json"],
  mastra: [".mastracode/mcp.json"],
  pi: [".pi/agent/mcp.json"],
  librechat: ["librechat.yaml"],
};

const inProjects = new Set(["air", "librechat"]);

const oddValues = [undefined, null, 0, "", "x", [], {}, true, [[]], [null], { command: {} }];

describe.each(clientIds)("%s", (id) => {
  const client = clients[id];

  test("has its files in the home, on each platform, or in a project", () => {
    if (inProjects.has(id)) expect(client.projectFiles[0]).toBe(places[id][0]);
    if (inProjects.has(id)) return;
    const [linux = "", mac = linux, windows = linux] = places[id];
    const found = ["linux", "darwin", "win32"].map((platform) => {
      return client.files({ folder: "/h", env: {}, platform })[0];
    });
    expect(found).toEqual([`/h/${linux}`, `/h/${mac}`, `/h/${windows}`]);
  });

  test("finds in its settings a server behind mcp-meter, one that is not, and one with a URL", () => {
    const read = readClientFile(join(fixtures, `${id}.${client.language}`), client.language);
    if (read === undefined || "fault" in read) throw new Error(read?.fault ?? "no fixture");
    const servers = findServers(client, read.value);
    const behind = servers.map(({ rawName, command }) => [
      rawName,
      command === undefined ? "remote" : findMeterWord(command),
    ]);
    const sorted = behind.toSorted(([a = ""], [b = ""]) => a.localeCompare(b));
    const local = [
      ["a", "mcp-meter"],
      ["b", undefined],
    ];
    expect(sorted).toEqual(withoutRemote.has(id) ? local : [...local, ["r", "remote"]]);
  });

  test("finds no server in settings of any other form", () => {
    for (const odd of oddValues) {
      expect(findServers(client, odd)).toEqual([]);
      for (const path of client.serverPaths) {
        const nested = path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), odd);
        const names = findServers(client, nested).map(({ rawName }) => rawName);
        expect(names).toEqual([]);
        expect(
          findServers(
            client,
            path.reduce<unknown>((inner) => [inner], odd),
          ),
        ).toEqual([]);
      }
    }
  });
});

test("files of projects are below the folder of the project", () => {
  for (const id of clientIds) {
    for (const file of clients[id].projectFiles) {
      expect([id, file]).toEqual([id, expect.stringMatching(/^(?!\/)(?:[\w.-]+\/)*[\w.-]+$/)]);
    }
  }
});

test("variables of a client name its folder, if they are absolute", () => {
  const env = {
    CLAUDE_CONFIG_DIR: "/c/",
    CODEX_HOME: "/x",
    GEMINI_CLI_HOME: "relative",
    XDG_CONFIG_HOME: "/g",
  };
  const home = { folder: "/h", env, platform: "linux" };
  const first = (["claude-code", "codex", "gemini-cli", "goose", "zed"] as const).map((id) => {
    return clients[id].files(home)[0];
  });
  expect(first).toEqual([
    "/c/.claude.json",
    "/x/config.toml",
    "/h/.gemini/settings.json",
    "/g/goose/config.yaml",
    "/g/zed/settings.json",
  ]);
});
