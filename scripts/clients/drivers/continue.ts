import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatCompletionsApi } from "../apis/chat-completions.ts";
import { callArguments, type ClientDriver, prompt, serverName } from "../client.ts";

export const continueCli: ClientDriver = {
  id: "continue",
  title: "Continue CLI",
  package: "@continuedev/cli",
  api: chatCompletionsApi,
  meterOptions: [],
  prepare: ({ installed, home, work, apiUrl, server }) => {
    const folder = join(home, ".continue");
    mkdirSync(folder, { recursive: true });
    const model = {
      name: "Model",
      provider: "openai",
      model: "model",
      apiBase: `${apiUrl}/v1`,
      apiKey: "not-a-key",
      roles: ["chat"],
      capabilities: ["tool_use", "image_input"],
      defaultCompletionOptions: { contextLength: 1_000_000, maxTokens: 30_000 },
    };
    const config = join(work, "config.yaml");
    const mcpServers = [{ name: serverName, ...server }];
    const content = {
      name: "Loopback",
      version: "1.0.0",
      schema: "v1",
      models: [model],
      mcpServers,
    };
    writeFileSync(config, JSON.stringify(content));
    return {
      command: join(installed, "node_modules/.bin/cn"),
      args: ["--print", "--auto", "--config", config, prompt],
      env: {
        CONTINUE_GLOBAL_DIR: folder,
        CONTINUE_METRICS_ENABLED: "0",
        CONTINUE_TELEMETRY_ENABLED: "0",
      },
    };
  },
  load: () => [],
  loadsAsText: false,
  hidesImages: false,
  call: (tool) => ({ kind: "call", name: tool, args: callArguments }),
};
