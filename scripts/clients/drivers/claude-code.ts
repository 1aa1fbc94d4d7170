import { join } from "node:path";
import { messagesApi } from "../apis/messages.ts";
import {
  callArguments,
  type ClientDriver,
  driverDefaults,
  prompt,
  serverName,
  writeSettings,
} from "../client.ts";

const qualified = (tool: string): string => `mcp__${serverName}__${tool}`;

export const claudeCode: ClientDriver = {
  ...driverDefaults,
  id: "claude-code",
  title: "Claude Code",
  package: "@anthropic-ai/claude-code",
  api: messagesApi,
  prepare: ({ installed, home, work, apiUrl, server }) => {
    const config = join(work, "mcp.json");
    const mcpServers = { [serverName]: { type: "stdio", ...server } };
    writeSettings(config, { mcpServers });
    const platform = `claude-code-${process.platform}-${process.arch}`;
    return {
      command: join(installed, "node_modules/@anthropic-ai", platform, "claude"),
      args: [
        "--print",
        prompt,
        "--output-format=stream-json",
        "--verbose",
        `--mcp-config=${config}`,
        "--strict-mcp-config",
        "--allowedTools",
        `mcp__${serverName}`,
        "ToolSearch",
      ],
      env: {
        CLAUDE_CONFIG_DIR: join(home, ".claude"),
        ANTHROPIC_BASE_URL: apiUrl,
        ANTHROPIC_API_KEY: "sk-ant-not-a-key",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_BUG_COMMAND: "1",
        DISABLE_ERROR_REPORTING: "1",
        DISABLE_TELEMETRY: "1",
        IS_SANDBOX: "1",
      },
    };
  },
  load: (tools) => {
    const query = `select:${tools.map(qualified).join(",")}`;
    return [{ kind: "call", name: "ToolSearch", args: { query, max_results: 50 } }];
  },
  call: (tool) => ({ kind: "call", name: qualified(tool), args: callArguments }),
};
