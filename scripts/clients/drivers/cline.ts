import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatCompletionsApi } from "../apis/chat-completions.ts";
import { callArguments, type ClientDriver, prompt, serverName } from "../client.ts";

const provider = "openai-compatible";

export const cline: ClientDriver = {
  id: "cline",
  title: "Cline CLI",
  package: "cline",
  api: chatCompletionsApi,
  meterOptions: [],
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".cline/data");
    const settings = join(folder, "settings");
    mkdirSync(settings, { recursive: true });
    const own = { provider, apiKey: "not-a-key", model: "gpt-5.1", baseUrl: `${apiUrl}/v1` };
    const updatedAt = "2026-01-01T00:00:00.000Z";
    const providers = { [provider]: { settings: own, updatedAt, tokenSource: "manual" } };
    const chosen = { version: 1, lastUsedProvider: provider, modes: {}, providers };
    writeFileSync(join(settings, "providers.json"), JSON.stringify(chosen));
    const mcpServers = { [serverName]: { transport: { type: "stdio", ...server } } };
    writeFileSync(join(settings, "cline_mcp_settings.json"), JSON.stringify({ mcpServers }));
    const platform = `cli-${process.platform}-${process.arch}`;
    return {
      command: join(installed, "node_modules/@cline", platform, "bin/cline"),
      args: ["--json", "--compaction", "off", "--retries", "100", "--provider", provider, prompt],
      env: { CLINE_DATA_DIR: folder, CLINE_NO_AUTO_UPDATE: "1", CLINE_TELEMETRY_DISABLED: "1" },
    };
  },
  load: () => [],
  loadsAsText: false,
  hidesImages: false,
  call: (tool) => ({ kind: "call", name: `${serverName}__${tool}`, args: callArguments }),
};
