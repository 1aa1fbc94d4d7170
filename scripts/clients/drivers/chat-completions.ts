import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chatCompletionsApi } from "../apis/chat-completions.ts";
import {
  callArguments,
  type ClientDriver,
  type LaunchContext,
  driverDefaults,
  prompt,
  serverName,
  writeSettings,
} from "../client.ts";

export const opencode: ClientDriver = {
  ...driverDefaults,
  id: "opencode",
  title: "OpenCode",
  package: "opencode-ai",
  api: chatCompletionsApi,
  prepare: (context) => {
    const folder = join(context.home, ".config/opencode");
    writeSettings(join(folder, "opencode.json"), openCodeConfig(context));
    const platform = `opencode-${process.platform}-${process.arch}`;
    return {
      command: join(context.installed, "node_modules", platform, "bin/opencode"),
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
  call: (tool) => ({ kind: "call", name: `${serverName}_${tool}`, args: callArguments }),
};

function openCodeConfig({ apiUrl, server }: LaunchContext): object {
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

export const kilo: ClientDriver = {
  ...opencode,
  id: "kilo",
  title: "Kilo CLI",
  package: "@kilocode/cli",
  prepare: (context) => {
    const folder = join(context.home, ".config/kilo");
    writeSettings(join(folder, "kilo.json"), openCodeConfig(context));
    const platform = `cli-${process.platform}-${process.arch}`;
    return {
      command: join(context.installed, "node_modules/@kilocode", platform, "bin/kilo"),
      args: ["run", "--auto", "--format", "json", "--model", "loopback/model", prompt],
      env: {
        KILO_DISABLE_AUTOUPDATE: "1",
        KILO_DISABLE_DEFAULT_PLUGINS: "1",
        KILO_DISABLE_LSP_DOWNLOAD: "1",
        KILO_DISABLE_MODELS_FETCH: "1",
        KILO_DISABLE_SESSION_INGEST: "1",
        KILO_DISABLE_SHARE: "1",
      },
    };
  },
};

const clineProvider = "openai-compatible";

export const cline: ClientDriver = {
  ...driverDefaults,
  id: "cline",
  title: "Cline CLI",
  package: "cline",
  api: chatCompletionsApi,
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".cline/data");
    const settings = join(folder, "settings");
    const own = {
      provider: clineProvider,
      apiKey: "not-a-key",
      model: "gpt-5.1",
      baseUrl: `${apiUrl}/v1`,
    };
    const updatedAt = "2026-01-01T00:00:00.000Z";
    const providers = { [clineProvider]: { settings: own, updatedAt, tokenSource: "manual" } };
    const chosen = { version: 1, lastUsedProvider: clineProvider, modes: {}, providers };
    writeSettings(join(settings, "providers.json"), chosen);
    const mcpServers = { [serverName]: { transport: { type: "stdio", ...server } } };
    writeSettings(join(settings, "cline_mcp_settings.json"), { mcpServers });
    const platform = `cli-${process.platform}-${process.arch}`;
    return {
      command: join(installed, "node_modules/@cline", platform, "bin/cline"),
      args: [
        "--json",
        "--compaction",
        "off",
        "--retries",
        "100",
        "--provider",
        clineProvider,
        prompt,
      ],
      env: { CLINE_DATA_DIR: folder, CLINE_NO_AUTO_UPDATE: "1", CLINE_TELEMETRY_DISABLED: "1" },
    };
  },
  call: (tool) => ({ kind: "call", name: `${serverName}__${tool}`, args: callArguments }),
};

export const kimi: ClientDriver = {
  ...driverDefaults,
  id: "kimi",
  title: "Kimi Code",
  package: "@moonshot-ai/kimi-code",
  alsoInstalls: "node@22",
  api: chatCompletionsApi,
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".kimi-code");
    writeSettings(join(folder, "config.toml"), "telemetry = false\n");
    const mcpServers = { [serverName]: server };
    writeSettings(join(folder, "mcp.json"), { mcpServers });
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
  call: (tool) => ({ kind: "call", name: `mcp__${serverName}__${tool}`, args: callArguments }),
};

export const continueCli: ClientDriver = {
  ...driverDefaults,
  id: "continue",
  title: "Continue CLI",
  package: "@continuedev/cli",
  api: chatCompletionsApi,
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
    writeSettings(config, content);
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
  call: (tool) => ({ kind: "call", name: tool, args: callArguments }),
};

const qualified = (tool: string): string => `mcp__${serverName}__${tool}`;

const resultsMax = 20;

export const qwen: ClientDriver = {
  ...driverDefaults,
  id: "qwen",
  title: "Qwen Code",
  package: "@qwen-code/qwen-code",
  api: chatCompletionsApi,
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".qwen");
    const settings = {
      mcpServers: { [serverName]: { ...server, trust: true } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
    };
    writeSettings(join(folder, "settings.json"), settings);
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
    chunkTools(tools).map((chunk) => {
      const query = `select:${chunk.map(qualified).join(",")}`;
      return { kind: "call", name: "tool_search", args: { query, max_results: resultsMax } };
    }),
  loadsAsText: true,
  call: (tool) => ({
    kind: "call",
    name: "tool_call",
    args: { name: qualified(tool), arguments: callArguments },
  }),
};

function chunkTools(tools: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(tools.length / resultsMax);
  return Array.from({ length: count }, (_, at) =>
    tools.slice(at * resultsMax, (at + 1) * resultsMax),
  );
}
