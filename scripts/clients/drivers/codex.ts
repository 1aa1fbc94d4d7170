import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { responsesApi } from "../apis/responses.ts";
import { callArguments, type ClientDriver, type Place, prompt, serverName } from "../client.ts";

const model = "gpt-5.5";

export const codex: ClientDriver = {
  id: "codex",
  title: `Codex CLI with ${model}`,
  package: "@openai/codex",
  api: responsesApi,
  meterOptions: ["--model", model],
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".codex");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), configOf(apiUrl, server));
    return {
      command: join(installed, "node_modules/.bin/codex"),
      args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
      env: { CODEX_HOME: folder, MODEL_KEY: "not-a-key" },
    };
  },
  load: (tools) => [
    { kind: "call", name: "tool_search", args: { query: tools.join(" "), limit: tools.length } },
  ],
  loadsAsText: false,
  hidesImages: false,
  call: (tool) => ({
    kind: "call",
    name: tool,
    namespace: `mcp__${serverName}`,
    args: callArguments,
  }),
};

function configOf(apiUrl: string, server: Place["server"]): string {
  const lines = [
    `model = "${model}"`,
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
