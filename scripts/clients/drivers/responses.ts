import { join } from "node:path";
import { responsesApi } from "../apis/responses.ts";
import {
  callArguments,
  type ClientDriver,
  type LaunchContext,
  driverDefaults,
  prompt,
  serverName,
  writeSettings,
} from "../client.ts";

const codexModel = "gpt-5.5";

export const codex: ClientDriver = {
  ...driverDefaults,
  id: "codex",
  title: `Codex CLI with ${codexModel}`,
  package: "@openai/codex",
  api: responsesApi,
  meterOptions: ["--model", codexModel],
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".codex");
    writeSettings(join(folder, "config.toml"), makeCodexConfig(apiUrl, server));
    return {
      command: join(installed, "node_modules/.bin/codex"),
      args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
      env: { CODEX_HOME: folder, MODEL_KEY: "not-a-key" },
    };
  },
  load: (tools) => [
    { kind: "call", name: "tool_search", args: { query: tools.join(" "), limit: tools.length } },
  ],
  call: (tool) => ({
    kind: "call",
    name: tool,
    namespace: `mcp__${serverName}`,
    args: callArguments,
  }),
};

function makeCodexConfig(apiUrl: string, server: LaunchContext["server"]): string {
  const lines = [
    `model = "${codexModel}"`,
    'model_provider = "loopback"',
    "check_for_update_on_startup = false",
    "[analytics]",
    "enabled = false",
    "[feedback]",
    "enabled = false",
    "[otel]",
    'exporter = "none"',
    "[model_providers.loopback]",
    'name = "Loopback"',
    `base_url = "${apiUrl}/v1"`,
    'env_key = "MODEL_KEY"',
    'wire_api = "responses"',
    `[mcp_servers.${serverName}]`,
    `command = ${JSON.stringify(server.command)}`,
    `args = ${JSON.stringify(server.args)}`,
    "tool_timeout_sec = 8",
  ];
  return `${lines.join("\n")}\n`;
}

const copilotModel = "gpt-5.1";

export const copilot: ClientDriver = {
  ...driverDefaults,
  id: "copilot",
  title: `Copilot CLI with ${copilotModel}`,
  package: "@github/copilot",
  api: responsesApi,
  meterOptions: ["--model", copilotModel],
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".copilot");
    const mcpServers = { [serverName]: { type: "local", ...server, tools: ["*"], timeout: 8_000 } };
    writeSettings(join(folder, "mcp-config.json"), { mcpServers });
    return {
      command: join(installed, "node_modules/.bin/copilot"),
      args: ["--prompt", prompt, "--allow-all-tools", "--no-color"],
      env: {
        COPILOT_HOME: folder,
        COPILOT_OFFLINE: "true",
        COPILOT_AUTO_UPDATE: "false",
        COPILOT_MODEL: copilotModel,
        COPILOT_PROVIDER_BASE_URL: `${apiUrl}/v1`,
        COPILOT_PROVIDER_API_KEY: "not-a-key",
        COPILOT_PROVIDER_WIRE_API: "responses",
      },
    };
  },
  hidesImages: true,
  call: (tool) => ({ kind: "call", name: `${serverName}-${tool}`, args: callArguments }),
};
