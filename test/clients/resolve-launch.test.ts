import { describe, expect, test } from "bun:test";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { resolveLaunch, findLaunchRule } from "#clients/launch-rules.ts";
import { findServers } from "#clients/configured-entries.ts";
import type { JsonObject } from "#wire/json.ts";

const env = { HOME: "/h", PATH: "/bin", MY_TOKEN: "t", KEY: "k", XDG_STATE_HOME: "/s" };
const values = { env, home: "/h", project: undefined };

function launched(client: ClientId, settings: unknown, project?: string) {
  const [found] = findServers(clients[client], settings);
  if (!found) throw new Error("no server");
  return resolveLaunch(found, findLaunchRule(client), { ...values, project });
}

const inMembers = (entry: JsonObject): JsonObject => ({ mcpServers: { a: entry } });
const usual = { command: "x", args: ["1"], env: { OWN: "o" } };

const settings: { readonly [id in ClientId]?: JsonObject } = {
  codex: { mcp_servers: { a: usual } },
  "grok-build": { mcp_servers: { a: usual } },
  "vs-code": { servers: { a: usual } },
  "copilot-jetbrains": { servers: { a: usual } },
  opencode: { mcp: { a: { command: ["x", "1"], environment: { OWN: "o" } } } },
  "kilo-code": { mcp: { a: { command: ["x", "1"], environment: { OWN: "o" } } } },
  goose: { extensions: { a: { cmd: "x", args: ["1"], envs: { OWN: "o" } } } },
  zed: { context_servers: { a: { command: { path: "x", args: ["1"], env: { OWN: "o" } } } } },
  continue: { mcpServers: [{ name: "a", ...usual }] },
};

describe.each([...clientIds])("%s", (client) => {
  test("starts the command of its entry with the variables of the entry", () => {
    const launch = launched(client, settings[client] ?? inMembers(usual));
    expect(launch).toMatchObject({
      command: ["x", "1"],
      entryEnv: { OWN: "o" },
      env: { HOME: "/h", PATH: "/bin", OWN: "o" },
      cwd: undefined,
    });
  });
});

test("an environment has what its client passes on, and what its entry asks for", () => {
  const asking = { ...usual, env_vars: ["XDG_STATE_HOME", { name: "KEY" }] };
  expect(launched("codex", { mcp_servers: { a: usual } })).toMatchObject({
    env: { HOME: "/h", PATH: "/bin", OWN: "o" },
  });
  expect(launched("codex", { mcp_servers: { a: asking } })).toHaveProperty("env", {
    HOME: "/h",
    PATH: "/bin",
    XDG_STATE_HOME: "/s",
    KEY: "k",
    OWN: "o",
  });
  expect(launched("gemini-cli", inMembers(usual))).not.toHaveProperty("env.MY_TOKEN");
  expect(launched("cursor", inMembers(usual))).toHaveProperty("env", { ...env, OWN: "o" });
});

test("an entry overrides a variable, also one that its client removes", () => {
  const entry = { ...usual, env: { MY_TOKEN: "own", PORT: 80, ON: true, ODD: null, "A=B": "x" } };
  expect(launched("gemini-cli", inMembers(entry))).toHaveProperty("entryEnv", {
    MY_TOKEN: "own",
    PORT: "80",
    ON: "true",
  });
});

test("placeholders are filled in words, variables and the folder", () => {
  const entry = { command: "${KEY}", args: ["${KEY}/b"], env: { A: "${KEY}" }, cwd: "/${KEY}" };
  expect(launched("claude-code", inMembers(entry))).toMatchObject({
    command: ["k", "k/b"],
    entryEnv: { A: "k" },
    cwd: "/k",
  });
  const claudeDesktop = launched("claude-desktop", inMembers(entry));
  expect(claudeDesktop).toMatchObject({ command: ["${KEY}", "${KEY}/b"], cwd: "/${KEY}" });
});

test.each([
  [{ ...usual, args: ["${input:key}"] }],
  [{ ...usual, env: { A: "${input:key}" } }],
  [{ ...usual, cwd: "${input:key}" }],
])("an entry that only its client can fill is not started: %j", (entry) => {
  const launch = launched("vs-code", { servers: { a: entry } });
  expect(launch).toEqual({ kind: "placeholder", placeholder: "${input:…}" });
});

test("an entry with a file of variables is not started", () => {
  const entry = { ...usual, envFile: "/h/.env" };
  expect(launched("vs-code", { servers: { a: entry } })).toEqual({ kind: "env_file" });
});

test("servers run in the folder of the project, unless they have their own", () => {
  expect(launched("cursor", inMembers(usual), "/p")).toHaveProperty("cwd", "/p");
  expect(launched("cursor", inMembers({ ...usual, cwd: "/q" }), "/p")).toHaveProperty("cwd", "/q");
});

test.each([
  ["/opt/mcp-meter", ["--server", "a", "--", "x", "--", "1"], ["x", "--", "1"]],
  ["npx", ["-y", "mcp-meter", "--", "x"], ["x"]],
  ["mcp-meter", ["--", "mcp-meter", "--", "x"], ["x"]],
  ["mcp-meter", ["record", "--output", "c.yaml", "--", "x"], ["x"]],
  ["mcp-meter", ["mcp"], ["mcp-meter", "mcp"]],
])("an entry of %s %j is the server itself", (command, args, words) => {
  expect(launched("cursor", inMembers({ command, args }))).toHaveProperty("command", words);
});

test.each([
  [{ url: "https://example.com/mcp" }],
  [{ command: "mcp-meter", args: ["serve", "--url", "https://example.com/mcp"] }],
  [{ command: "mcp-meter", args: ["--"] }],
])("%j is no process of a server", (entry) => {
  expect(launched("cursor", inMembers(entry))).toEqual({ kind: "remote" });
});
