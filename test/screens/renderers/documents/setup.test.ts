import { expect, test } from "bun:test";
import {
  setupNotesMax,
  setupRowsMax,
  buildSetupDocument,
} from "#screens/renderers/documents/setup.ts";
import type { SetupClient, SetupReport, SetupServer } from "#lock/setup-report.ts";
import { renderMarkdown } from "#screens/renderers/markdown.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";

const cost = {
  tools: 2,
  definitions_tokens: 1_500,
  instructions_tokens: 40,
  resident_tokens: 120,
  percent_window: 0.06,
  percent_total: 60,
  omitted_tools: 0,
  is_deferred: true,
} as const;

const profiled: SetupServer = {
  server: "garden",
  file: "/h/.claude.json",
  scope: "user",
  status: "profiled",
  cost,
  failure: null,
};

const failed: SetupServer = {
  ...profiled,
  server: "slow",
  status: "failed",
  cost: null,
  failure: { kind: "timeout", reason: "it did not answer within 30 s" },
};

const remote: SetupServer = { ...profiled, server: "far", status: "remote", cost: null };
const waiting: SetupServer = { ...profiled, status: "not_started", cost: null };

const client: SetupClient = {
  client: "claude-code",
  name: "Claude Code",
  estimator: {
    id: "claude",
    method: "bpe-scaled",
    encoding: "claude",
    confidence: "medium",
    error: "about right",
    is_estimated: true,
  },
  window: 200_000,
  servers: [profiled, failed, remote],
  total: { ...cost, servers: 1, list_tokens: 290 },
};

const report: SetupReport = {
  schema_version: "1.0",
  is_dry_run: false,
  project: null,
  clients: [client],
  repeated: [],
  unreadable: [],
  omitted: 0,
};

const print = (changed: Partial<SetupReport>): string =>
  renderTerminal(buildSetupDocument({ ...report, ...changed }), { color: false });

test("each server has a row, and each client a total of those that were profiled", () => {
  expect(print({})).toBe(`Cost of 3 servers of 1 client before the first prompt

client       server  tools  listed  share  instructions  in context  window  note
Claude Code  garden      2  ~1,500    60%           ~40        ~120    0.1%  loaded on demand
Claude Code  slow                                                            did not answer within 30 s
Claude Code  far                                                             remote: measure it with profile --url
Claude Code  total       2  ~1,500                  ~40        ~120    0.1%  without 2 servers

failed  server messages are not shown, because they may contain secrets; to see them, run:
        mcp-meter profile -- COMMAND

window      200,000 tokens
counted by  claude ●●○ about right; ~ marks estimates
`);
});

const planned = {
  ...client,
  servers: [waiting, remote],
  total: { ...client.total, servers: 0, tools: 0 },
};

test("a dry run has no numbers, and says how to go on", () => {
  const text = print({ is_dry_run: true, clients: [planned] });
  expect(text).toContain("2 servers of 1 client, not started");
  expect(text).not.toContain("listed");
  expect(text).toContain("dry run  nothing was started; pass --yes to start these servers");
});

test("without any server the title says so", () => {
  expect(print({ clients: [] })).toBe("No server in the settings of any known MCP client\n");
});

test("a server that is configured twice is named with its clients, and so are settings that cannot be read", () => {
  const place = { client: "claude-code", server: "garden" };
  const text = print({
    repeated: [[place, { client: "claude-code", server: "g2" }]],
    unreadable: [{ client: "codex", file: "/h/config.toml", fault: "EACCES", line: null }],
    omitted: 3,
  });
  expect(text).toContain("same server  Claude Code garden, Claude Code g2\n");
  expect(text).toContain("not read  /h/config.toml: permission denied");
  expect(text).toContain("not started: 3 servers beyond the first 200");
});

test("places of one server and servers in several places are limited", () => {
  const places = Array.from({ length: setupNotesMax + 1 }, () => ({ client: "c", server: "s" }));
  expect(print({ repeated: [places.slice(1)] })).not.toContain("more");
  expect(print({ repeated: [places] })).toContain("c s and 1 more");
  const lines = print({ repeated: places.map(() => places.slice(0, 2)) }).match(/^same server/gm);
  expect(lines).toHaveLength(setupNotesMax);
});

test("clients that are counted otherwise are told apart, and totals have their lists once", () => {
  const estimator = { ...client.estimator, id: "o200k", error: "exact" };
  const second = { ...client, name: "Codex CLI", window: 400_000, estimator };
  const total = { ...client.total, servers: 2 };
  const text = print({ clients: [{ ...client, total }, second] });
  expect(text).toContain("200,000 tokens for Claude Code\n");
  expect(text).toContain("400,000 tokens for Codex CLI\n");
  expect(text).toContain(
    "a tool list costs 290 tokens in addition to its tools; each server's row includes these 290 tokens, and the total includes them only once (Claude Code)",
  );
  expect(text).toContain("exact; ~ marks estimates (Codex CLI)");
});

test("a row says which tools are not in its numbers", () => {
  const some = { ...profiled, cost: { ...cost, omitted_tools: 2 } };
  const whole = { ...some, cost: { ...some.cost, is_deferred: false } };
  const text = print({ clients: [{ ...client, servers: [some, whole] }] });
  expect(text).toContain("loaded on demand, 2 tools excluded by the settings");
  expect(text).toContain("0.1%  2 tools excluded by the settings");
});

const rows = (count: number): string =>
  print({ clients: [{ ...client, servers: Array.from({ length: count }, () => remote) }] });

test("rows are limited", () => {
  expect(rows(setupRowsMax - 1)).not.toContain("more row");
  expect(rows(setupRowsMax)).toContain("1 more row; use --format json to list all");
});

test("a hostile name of a server is harmless", () => {
  const server = { ...profiled, server: "a\u001b[2J|`" };
  const document = buildSetupDocument({ ...report, clients: [{ ...client, servers: [server] }] });
  const text = renderTerminal(document, { color: false }) + renderMarkdown(document);
  expect(text).not.toContain("\u001b");
});
