import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";

export type SettingsEntry = {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

type Entries = Readonly<Record<string, SettingsEntry>>;

export const twelveClients = [
  "claude-code",
  "claude-desktop",
  "codex",
  "vs-code",
  "cursor",
  "gemini-cli",
  "copilot-cli",
  "opencode",
  "qwen-code",
  "goose",
  "zed",
  "continue",
] as const satisfies readonly ClientId[];

export function writeSettings(
  home: { readonly path: string; readonly env: Readonly<Record<string, string>> },
  client: ClientId,
  entries: Entries,
): string {
  const place = { folder: home.path, env: home.env, platform: "linux" };
  const [file = ""] = clients[client].files(place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, settingsText(client, entries));
  return file;
}

export function settingsText(client: ClientId, entries: Entries): string {
  const members = Object.entries(entries);
  const mapped = (make: (entry: SettingsEntry) => unknown): unknown =>
    Object.fromEntries(members.map(([name, entry]) => [name, make(entry)]));
  switch (client) {
    case "codex":
      return members.map(([name, entry]) => tomlTable(name, entry)).join("\n");
    case "vs-code":
      return `// servers\n${JSON.stringify({ servers: mapped(usual) })}`;
    case "opencode":
      return JSON.stringify({
        mcp: mapped(({ words, env }) => ({
          type: "local",
          command: words,
          environment: env ?? {},
        })),
      });
    case "goose":
      return Bun.YAML.stringify({
        extensions: mapped(({ words: [cmd, ...args], env }) => ({ cmd, args, envs: env ?? {} })),
      });
    case "zed":
      return JSON.stringify({ context_servers: mapped(usual) });
    case "continue":
      return Bun.YAML.stringify({
        mcpServers: members.map(([name, entry]) => ({ name, ...usual(entry) })),
      });
    default:
      return JSON.stringify({ mcpServers: mapped(usual) });
  }
}

function usual({ words: [command, ...args], env = {} }: SettingsEntry) {
  return { command, args, env };
}

function tomlTable(name: string, { words: [command, ...args], env = {} }: SettingsEntry): string {
  const variables = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [
    `[mcp_servers.${JSON.stringify(name)}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    `env = { ${variables.join(", ")} }`,
  ].join("\n");
}
