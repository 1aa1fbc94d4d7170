import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatCompletionsApi } from "../apis/chat-completions.ts";
import { callArguments, type ClientDriver, prompt, serverName } from "../client.ts";

export const kimi: ClientDriver = {
  id: "kimi",
  title: "Kimi Code",
  package: "@moonshot-ai/kimi-code",
  alsoInstalls: "node@22",
  api: chatCompletionsApi,
  meterOptions: [],
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".kimi-code");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), "telemetry = false\n");
    const mcpServers = { [serverName]: server };
    writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
    const program = join(installed, "node_modules/@moonshot-ai/kimi-code/dist/main.mjs");
    return {
      command: join(installed, "node_modules/.bin/node"),
      args: [program, "--prompt", prompt],
      env: {
        KIMI_CODE_HOME: folder,
        KIMI_CODE_NO_AUTO_UPDATE: "1",
        KIMI_MODEL_API_KEY: "not-a-key",
        KIMI_MODEL_BASE_URL: `${apiUrl}/v1`,
        KIMI_MODEL_CAPABILITIES: "image_in,tool_use",
        KIMI_MODEL_MAX_CONTEXT_SIZE: "1000000",
        KIMI_MODEL_NAME: "kimi-k2",
      },
    };
  },
  load: () => [],
  loadsAsText: false,
  hidesImages: false,
  call: (tool) => ({ kind: "call", name: `mcp__${serverName}__${tool}`, args: callArguments }),
};
