import { join } from "node:path";
import { geminiApi } from "../apis/gemini.ts";
import {
  callArguments,
  type ClientDriver,
  driverDefaults,
  prompt,
  serverName,
  writeSettings,
} from "../client.ts";

export const gemini: ClientDriver = {
  ...driverDefaults,
  id: "gemini",
  title: "Gemini CLI",
  package: "@google/gemini-cli",
  api: geminiApi,
  prepare: ({ installed, home, apiUrl, server }) => {
    const folder = join(home, ".gemini");
    const settings = {
      mcpServers: { [serverName]: { ...server, trust: true } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    };
    writeSettings(join(folder, "settings.json"), settings);
    return {
      command: join(installed, "node_modules/.bin/gemini"),
      args: ["--prompt", prompt, "--yolo", "--model", "gemini-2.5-pro"],
      env: {
        GEMINI_API_KEY: "not-a-key",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_CLI_NO_RELAUNCH: "true",
        GEMINI_TELEMETRY_ENABLED: "false",
        GOOGLE_GEMINI_BASE_URL: apiUrl,
      },
    };
  },
  call: (tool) => ({
    kind: "call",
    name: `mcp_${serverName}_${tool}`,
    args: callArguments,
  }),
};
