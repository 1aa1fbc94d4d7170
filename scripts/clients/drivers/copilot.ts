import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { responsesApi } from "../apis/responses.ts";
import { callArguments, type ClientDriver, prompt, serverName } from "../client.ts";

const model = "gpt-5.1";

export const copilot: ClientDriver = {
  id: "copilot",
  title: `Copilot CLI with ${model}`,
  package: "@github/copilot",
  api: responsesApi,
  meterOptions: ["--model", model],
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".copilot");
    mkdirSync(folder, { recursive: true });
    const mcpServers = { [serverName]: { type: "local", ...server, tools: ["*"], timeout: 8_000 } };
    writeFileSync(join(folder, "mcp-config.json"), JSON.stringify({ mcpServers }));
    return {
      command: join(installed, "node_modules/.bin/copilot"),
      args: ["--prompt", prompt, "--allow-all-tools", "--no-color"],
      env: {
        COPILOT_HOME: folder,
        COPILOT_OFFLINE: "true",
        COPILOT_AUTO_UPDATE: "false",
        COPILOT_MODEL: model,
        COPILOT_PROVIDER_BASE_URL: `${apiUrl}/v1`,
        COPILOT_PROVIDER_API_KEY: "not-a-key",
        COPILOT_PROVIDER_WIRE_API: "responses",
      },
    };
  },
  load: () => [],
  loadsAsText: false,
  hidesImages: true,
  call: (tool) => ({ kind: "call", name: `${serverName}-${tool}`, args: callArguments }),
};
