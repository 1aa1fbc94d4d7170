import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { describeSetup } from "#commands/profile/setup-command.ts";
import type { FoundServer } from "#commands/profile/configured-servers.ts";
import type { StartResult } from "#commands/profile/start-servers.ts";
import { Folder } from "../../support/folder.ts";
import { commandSchema } from "../../support/report-schemas.ts";
import { configuredServersMax } from "#lock/setup-report.ts";

const launch = { command: ["x", "canary"], entryEnv: { K: "canary" }, env: {}, cwd: undefined };
const found = (server: string, changes: Partial<FoundServer> = {}): FoundServer => ({
  client: "codex",
  server,
  file: "/h/config.toml",
  scope: "user",
  launch,
  allowsTool: () => true,
  isAlwaysLoaded: false,
  ...changes,
});

const listed: StartResult = {
  listing: {
    server: { name: "canary", version: null, protocol_version: null, era: null },
    instructions: "Be brief.",
    tools: [{ name: "t", description: "Reads.", inputSchema: { type: "object" } }],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  },
};

const options = {
  project: undefined,
  reading: { tokenizer: "chars3", model: undefined, client: undefined, windowTokens: 1_000 },
} as const;

function described(servers: readonly FoundServer[], results?: Map<FoundServer, StartResult>) {
  const settings = { servers, unreadable: [] };
  const report = describeSetup(settings, results, options, { env: {} });
  const validate = commandSchema("setup");
  expect([validate(report), validate.errors]).toEqual([true, null]);
  expect(JSON.stringify(report)).not.toContain("canary");
  return report;
}

test("a report has every server by its client, with its cost or the reason for none", () => {
  const [good, bad] = [found("good"), found("bad", { launch: { ...launch, cwd: "/" } })];
  const failure = { kind: "timeout", reason: "it did not answer within 1 s" };
  const report = described(
    [
      good,
      bad,
      found("far", { launch: { kind: "remote" } }),
      found("asking", { launch: { kind: "placeholder", placeholder: "${input:…}" } }),
      found("filed", { client: "vs-code", launch: { kind: "env_file" } }),
    ],
    new Map<FoundServer, StartResult>([
      [good, listed],
      [bad, { failure }],
    ]),
  );
  expect(report.clients).toMatchObject([
    {
      client: "codex",
      name: "Codex CLI",
      window: 1_000,
      estimator: { id: "chars3" },
      servers: [
        { server: "good", status: "profiled", cost: { tools: 1, is_deferred: true } },
        { server: "bad", status: "failed", failure },
        { server: "far", status: "remote", failure: null },
        { server: "asking", status: "not_started", failure: { kind: "placeholder" } },
      ],
      total: { servers: 1 },
    },
    { client: "vs-code", servers: [{ status: "not_started", failure: { kind: "env_file" } }] },
  ]);
});

test.each([
  ["${workspaceFolder}", "pass --project DIR to fill ${workspaceFolder}"],
  ["${workspaceRoot}", "pass --project DIR to fill ${workspaceRoot}"],
  ["${workspaceFolder:api}", "only the client can fill ${workspaceFolder:api}"],
])("%s → %s", (placeholder, reason) => {
  const launched = { kind: "placeholder", placeholder } as const;
  const [client] = described([found("a", { launch: launched })]).clients;
  expect(client?.servers[0]?.failure?.reason).toBe(`not started: ${reason}`);
});

test("servers with the same process are named together", () => {
  const servers = [found("a"), found("b", { client: "cursor" }), found("c", { client: "zed" })];
  expect(described(servers)).toMatchObject({
    is_dry_run: true,
    repeated: [
      [
        { client: "codex", server: "a" },
        { client: "cursor", server: "b" },
        { client: "zed", server: "c" },
      ],
    ],
  });
  const bare = found("b", { launch: { ...launch, entryEnv: {} } });
  expect(described([found("a"), bare]).repeated).toEqual([]);
});

test("servers beyond the limit are counted", () => {
  const servers = Array.from({ length: configuredServersMax + 1 }, (_, at) => found(`s${at}`));
  expect(described(servers.slice(1)).omitted).toBe(0);
  expect(described(servers).omitted).toBe(1);
});

test("Claude Code defers tools as its environment says", () => {
  const server = found("a", { client: "claude-code" });
  const settings = { servers: [server], unreadable: [] };
  const results = new Map([[server, listed]]);
  const isDeferred = (env: Record<string, string>): boolean | undefined => {
    const [client] = describeSetup(settings, results, options, { env }).clients;
    return client?.servers[0]?.cost?.is_deferred;
  };
  expect(isDeferred({})).toBe(true);
  expect(isDeferred({ ENABLE_TOOL_SEARCH: "false" })).toBe(false);
  using home = new Folder();
  const write = (folder: string, text: string): void => {
    mkdirSync(home.at(folder));
    home.file(`${folder}/settings.json`, text);
  };
  write(".claude", '{"env": {"ENABLE_TOOL_SEARCH": "off", "N": 1}} // and more');
  write("other", '{"env": {"ENABLE_TOOL_SEARCH": "true"}}');
  write("broken", "{");
  write("unquoted", '{"env": {"ENABLE_TOOL_SEARCH": false, "A": null, "B": {}}}');
  const HOME = home.path;
  expect(isDeferred({ HOME, ENABLE_TOOL_SEARCH: "true" })).toBe(false);
  expect(isDeferred({ HOME, CLAUDE_CONFIG_DIR: `${HOME}/other` })).toBe(true);
  expect(isDeferred({ HOME, CLAUDE_CONFIG_DIR: `${HOME}/unquoted` })).toBe(false);
  const ENABLE_TOOL_SEARCH = "no";
  expect(isDeferred({ HOME, CLAUDE_CONFIG_DIR: `${HOME}/broken`, ENABLE_TOOL_SEARCH })).toBe(false);
});

const tool = (name: string, alwaysLoad?: unknown) => ({
  name,
  description: "Reads one page of the book, and says which.",
  inputSchema: { type: "object" },
  _meta: { "anthropic/alwaysLoad": alwaysLoad },
});

test("Claude Code loads the tools of an entry that says so, but those that say no", () => {
  const findResident = (isAlwaysLoaded: boolean, ...tools: readonly ReturnType<typeof tool>[]) => {
    const server = found("a", { client: "claude-code", isAlwaysLoaded });
    const results = new Map([[server, { listing: { ...listed.listing, tools } }]]);
    const settings = { servers: [server], unreadable: [] };
    const [client] = describeSetup(settings, results, options, { env: {} }).clients;
    return client?.total.resident_tokens ?? 0;
  };
  const byName = findResident(false, tool("t"));
  const whole = findResident(false, tool("t", true));
  expect(whole).toBeGreaterThan(byName);
  expect(findResident(true, tool("t"))).toBe(whole);
  expect(findResident(true, tool("t", "false"))).toBe(whole);
  expect(findResident(true, tool("t", false))).toBe(byName);
});
