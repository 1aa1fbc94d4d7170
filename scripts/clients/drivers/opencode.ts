import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatCompletionsApi } from "../apis/chat-completions.ts";
import { callArguments, type ClientDriver, type Place, prompt, serverName } from "../client.ts";

export const opencode: ClientDriver = {
  id: "opencode",
  title: "OpenCode",
  package: "opencode-ai",
  api: chatCompletionsApi,
  meterOptions: [],
  prepare: (place) => {
    const folder = join(place.home, ".config/opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(openCodeConfig(place)));
    const platform = `opencode-${process.platform}-${process.arch}`;
    return {
      command: join(place.installed, "node_modules", platform, "bin/opencode"),
      args: ["run", "--auto", "--format", "json", prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_SHARE: "1",
      },
    };
  },
  load: () => [],
  loadsAsText: false,
  hidesImages: false,
  call: (tool) => ({ kind: "call", name: `${serverName}_${tool}`, args: callArguments }),
};

export function openCodeConfig({ apiUrl, server }: Place): object {
  const model = {
    name: "Model",
    attachment: true,
    modalities: { input: ["text", "image", "audio", "pdf"], output: ["text"] },
    limit: { context: 1_000_000, output: 30_000 },
  };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Loopback",
    options: { baseURL: `${apiUrl}/v1`, apiKey: "not-a-key" },
    models: { model },
  };
  const command = [server.command, ...server.args];
  return {
    autoupdate: false,
    share: "disabled",
    model: "loopback/model",
    small_model: "loopback/model",
    provider: { loopback: provider },
    mcp: { [serverName]: { type: "local", command, enabled: true } },
  };
}
