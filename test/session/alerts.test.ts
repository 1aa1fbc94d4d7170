import { describe, expect, test } from "bun:test";
import { repeatedCallsMin, toolRowsMax } from "#limits.ts";
import { Alerts, type AlertDeps } from "#session/alerts.ts";
import type { Shown } from "#session/draft.ts";
import type { CallRecord } from "#records/record.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { callRecord, protocolRecord } from "../support/made-records.ts";
import { plainReader } from "../support/plain-reader.ts";
import { Play } from "../support/play.ts";
import { call as callTool, request, textResult } from "../support/rpc.ts";

const deps: AlertDeps = { risk: riskThresholdsDefault };
const short: Shown = { characters: 10, hasImages: false };
const noTools = { find: () => undefined };

/** Kinds of the alerts of calls, one after the other. */
function kinds(calls: readonly Partial<CallRecord>[], alerts = new Alerts(deps)): string[][] {
  const reader = plainReader(undefined);
  return calls.map((told) =>
    alerts
      .for(callRecord(told), { shown: short, reader, tools: noTools })
      .map(({ alert }) => alert),
  );
}

const asked = (args: string, tool = "search") => ({ arguments_sha256: args, tool });

describe("heavy_call", () => {
  test("once a tool, when the risk is critical", () => {
    const risks = ["high", "critical", "critical"] as const;
    expect(kinds(risks.map((risk) => ({ risk })))).toEqual([[], ["heavy_call"], []]);
    const tools = ["a", "b"].map((tool) => ({ risk: "critical", tool }) as const);
    expect(kinds(tools).flat()).toHaveLength(2);
  });

  test("says what it cost and where the risk begins", () => {
    const heavy = callRecord({ risk: "critical", input_tokens: 1, output_tokens: 9_000 });
    expect(
      new Alerts(deps).for(heavy, { shown: short, reader: plainReader(undefined), tools: noTools }),
    ).toEqual([
      {
        type: "alert",
        alert: "heavy_call",
        tool: "search",
        budget: null,
        limit: 8_000,
        value: 9_001,
        detail: "one call cost 9,001 tokens",
      },
    ]);
  });

  test(`of a tool beyond ${toolRowsMax} is not told`, () => {
    const tools = Array.from({ length: toolRowsMax + 1 }, (_, at) => `t${at}`);
    expect(kinds(tools.map((tool) => ({ risk: "critical", tool }) as const)).flat()).toHaveLength(
      toolRowsMax,
    );
  });
});

const many = (length: number, call: object) => Array.from({ length }, () => call);

describe("repeated_call", () => {
  const run = (length: number) => many(length, asked("x"));

  test("once a run of the same call", () => {
    const told = kinds(run(repeatedCallsMin * 3));
    expect(told.flat()).toEqual(["repeated_call"]);
    expect(told[repeatedCallsMin - 1]).toEqual(["repeated_call"]);
  });

  test.each([
    ["another call between", [...run(4), asked("y"), ...run(4)]],
    ["another tool between", [...run(4), asked("x", "fetch"), ...run(4)]],
    ["arguments that were not read", many(9, { arguments_sha256: null })],
    ["prompts", many(9, { ...asked("x"), method: "prompts/get" })],
  ])("not with %s", (_name, calls) => {
    expect(kinds(calls).flat()).toEqual([]);
  });

  test("once more in the next run", () => {
    expect(kinds([...run(5), asked("y"), ...run(5)]).flat()).toHaveLength(2);
  });
});

describe("what a client does to an answer", () => {
  const claude = "claude-code";
  type Told = {
    readonly client?: string;
    readonly tokens?: number;
    readonly shown?: Partial<Shown>;
    readonly deps?: Partial<AlertDeps>;
    readonly room?: unknown;
  };

  function told({ client = claude, tokens = 100, shown, deps: more, room }: Told): string[] {
    const tool = { name: "search", _meta: { "anthropic/maxResultSizeChars": room } };
    const tools = { find: (name: string) => (name === "search" ? tool : undefined) };
    const call = callRecord({ output_tokens: tokens, visible_tokens: tokens });
    const alerts = new Alerts({ ...deps, ...more });
    return alerts
      .for(call, { shown: { ...short, ...shown }, reader: plainReader(client), tools })
      .map(({ alert, limit, value }) => `${alert} ${value} > ${limit}`);
  }

  test.each<[name: string, told: Told, expected: string[]]>([
    ["within", { tokens: 25_000, shown: { characters: 50_000 } }, []],
    ["cuts tokens", { tokens: 25_001 }, ["would_truncate 25001 > 25000"]],
    [
      "cuts where its user says",
      { tokens: 600, deps: { clientCutTokens: 500 } },
      ["would_truncate 600 > 500"],
    ],
    ["spills characters", { shown: { characters: 50_001 } }, ["would_spill 50001 > 50000"]],
    ["gives a tool room", { tokens: 90_000, shown: { characters: 400_000 }, room: 400_000 }, []],
    [
      "not without end",
      { shown: { characters: 500_001 }, room: 1e9 },
      ["would_spill 500001 > 500000"],
    ],
    ["takes a tool by its word", { shown: { characters: 11 }, room: 10 }, ["would_spill 11 > 10"]],
    ["keeps images", { shown: { characters: 90_000, hasImages: true } }, []],
    [
      "Gemini cuts characters",
      { client: "gemini-cli-mcp-client", tokens: 1e6, shown: { characters: 40_001 } },
      ["would_truncate 40001 > 40000"],
    ],
    ["others do nothing known", { client: "Zed", tokens: 1e6, shown: { characters: 1e7 } }, []],
  ])("%s", (_name, call, expected) => {
    expect(told(call)).toEqual(expected);
  });
});

test.each([
  [
    { visible_tokens: 25_001 },
    100,
    "the answer has 25,001 tokens; the client cuts answers at 25,000",
  ],
  [{}, 50_001, "the answer has 50,001 characters; the client writes answers over 50,000 to a file"],
])("the detail of an answer with %j and %d characters is %s", (changes, characters, detail) => {
  const reader = plainReader("claude-code");
  const answer = { shown: { ...short, characters }, reader, tools: noTools };
  const alerts = new Alerts(deps).for(callRecord(changes), answer);
  expect(alerts.map((alert) => alert.detail)).toEqual([detail]);
});

test("no alert follows what is no tool call", () => {
  const alerts = new Alerts({ ...deps, clientCutTokens: 1 });
  const reader = plainReader("claude-code");
  expect(alerts.for(protocolRecord(), { shown: short, reader, tools: noTools })).toEqual([]);
  const read = callRecord({ method: "resources/read", tool: null, risk: "critical" });
  expect(alerts.for(read, { shown: undefined, reader, tools: noTools })).toEqual([]);
});

test("in a session alerts come right behind their call, and the summary tells them", () => {
  const init = request(0, "initialize", { clientInfo: { name: "claude-code", version: "2" } });
  const roomy = { name: "roomy", _meta: { "anthropic/maxResultSizeChars": 500_000 } };
  const play = new Play({ clientCutTokens: 1_000 })
    .client(init, request(1, "tools/list"))
    .server({ jsonrpc: "2.0", id: 0, result: {} })
    .server({ jsonrpc: "2.0", id: 1, result: { tools: [roomy, { name: "narrow" }] } })
    .client(callTool(2, "roomy"), callTool(3, "narrow"))
    .server(textResult(2, "y".repeat(6_000)), textResult(3, "y".repeat(6_000)))
    .end();
  const told = play.records.map((record) => (record.type === "call" ? record.tool : record.type));
  expect(told.slice(-4)).toEqual(["roomy", "narrow", "alert", "end"]);
  expect(play.summary.alerts).toMatchObject([
    { alert: "would_truncate", tool: "narrow", count: 1 },
  ]);
  expect(play.records.map(({ seq }) => seq)).toEqual(play.records.map((_, at) => at));
});
