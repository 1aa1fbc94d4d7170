import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatCompletionsApi } from "../apis/chat-completions.ts";
import { callArguments, type ClientDriver, prompt, serverName } from "../client.ts";

const qualified = (tool: string): string => `mcp__${serverName}__${tool}`;

const resultsMax = 20;

export const qwen: ClientDriver = {
  id: "qwen",
  title: "Qwen Code",
  package: "@qwen-code/qwen-code",
  api: chatCompletionsApi,
  meterOptions: [],
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".qwen");
    mkdirSync(folder, { recursive: true });
    const settings = {
      mcpServers: { [serverName]: { ...server, trust: true } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
    return {
      command: join(installed, "node_modules/.bin/qwen"),
      args: ["--prompt", prompt, "--yolo", "--auth-type", "openai"],
      env: {
        QWEN_HOME: folder,
        QWEN_TELEMETRY_ENABLED: "false",
        OPENAI_API_KEY: "not-a-key",
        OPENAI_BASE_URL: `${apiUrl}/v1`,
        OPENAI_MODEL: "qwen3-vl-plus",
      },
    };
  },
  load: (tools) =>
    chunksOf(tools).map((chunk) => {
      const query = `select:${chunk.map(qualified).join(",")}`;
      return { kind: "call", name: "tool_search", args: { query, max_results: resultsMax } };
    }),
  loadsAsText: true,
  hidesImages: false,
  call: (tool) => ({
    kind: "call",
    name: "tool_call",
    args: { name: qualified(tool), arguments: callArguments },
  }),
};

function chunksOf(tools: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(tools.length / resultsMax);
  return Array.from({ length: count }, (_, at) =>
    tools.slice(at * resultsMax, (at + 1) * resultsMax),
  );
}
