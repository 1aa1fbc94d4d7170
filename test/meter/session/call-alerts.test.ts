import { describe, expect, test } from "bun:test";
import { repeatedCallsMin, CallAlerts, findSlowCall } from "#meter/session/call-alerts.ts";
import type { Shown } from "#meter/session/call-draft.ts";
import type { CallRecord } from "#records/record.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { callRecord, protocolRecord } from "../../support/made-records.ts";
import { Play } from "../../support/play.ts";
import { call as callTool, request, textResult } from "../../support/rpc.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

const short: Shown = { limited: undefined };

function kinds(
  calls: readonly Partial<CallRecord>[],
  alerts = new CallAlerts(riskThresholdsDefault),
): string[][] {
  return calls.map((told) => alerts.find(callRecord(told), short).map(({ alert }) => alert));
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
    expect(new CallAlerts(riskThresholdsDefault).find(heavy, short)).toEqual([
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

describe("an answer that its client changes", () => {
  const call = callRecord({ visible_tokens: 565, wire_tokens: 26_000 });
  const facts = { value: 52_000, limit: 50_000, unit: "character" } as const;

  test.each<
    [
      limited: Omit<NonNullable<Shown["limited"]>, "tokens" | "isFramed">,
      value: number,
      detail: string,
    ]
  >([
    [
      { ...facts, alert: "would_spill" },
      52_000,
      "the answer has 52,000 characters; the client writes answers over 50,000 to a file, so the model reads 565 tokens with the client's notice, instead of 13,000",
    ],
    [
      { ...facts, alert: "would_truncate", unit: "byte" },
      52_000,
      "the answer has 52,000 bytes with the text that the client adds; the client cuts answers at 50,000, so the model reads 565 tokens with the client's notice, instead of 13,000",
    ],
    [
      { alert: "would_truncate", value: 1_001, limit: 1_000, unit: "token" },
      13_000,
      "the answer has 13,000 tokens; the client cuts answers at 1,000, so the model reads 565 tokens with the client's notice, instead of 13,000",
    ],
  ])("%j", (given, value, detail) => {
    const { alert, limit } = given;
    const limited = { ...given, isFramed: given.unit === "byte", tokens: () => 13_000 };
    expect(new CallAlerts(riskThresholdsDefault).find(call, { limited })).toEqual([
      { type: "alert", alert, tool: "search", budget: null, limit, value, detail },
    ]);
  });
});

function detailOf(client: string, length: number, more: object = {}): string | undefined {
  const init = request(0, "initialize", { clientInfo: { name: client, version: "1" } });
  const play = new Play()
    .client(init, callTool(1, "read"))
    .server({ jsonrpc: "2.0", id: 0, result: {} })
    .server({
      jsonrpc: "2.0",
      id: 1,
      result: {
        content: [{ type: "text", text: `${"a b ".repeat(20)}\n`.repeat(length).slice(0, length) }],
        ...more,
      },
    })
    .end();
  const details = play.records.flatMap((one) =>
    one.type === "alert" && one.alert !== "heavy_call" ? [one.detail] : [],
  );
  return details[0];
}

describe("an answer just over its client's limit", () => {
  test("never stays with more than there was: the notice is longer", () => {
    expect(detailOf("claude-code", 10_001, { isError: true })).toMatch(
      /^the answer has 10,001 characters; the client cuts answers at 10,000, but its notice takes \d+ tokens more than the text it replaces$/,
    );
    expect(detailOf("opencode", 51_201)).toMatch(
      / to a file, but its notice takes \d+ tokens more/,
    );
  });

  test("has the text that the client adds, where its limit includes that", () => {
    // "<untrusted_context>\n" and "\n</untrusted_context>" are 41 characters.
    expect(detailOf("gemini-cli-mcp-client", 40_000)).toStartWith(
      "the answer has 40,041 characters with the text that the client adds; the client cuts ",
    );
  });
});

test("no alert follows what is no tool call", () => {
  const alerts = new CallAlerts(riskThresholdsDefault);
  expect(alerts.find(protocolRecord(), short)).toEqual([]);
  const read = callRecord({ method: "resources/read", tool: null, risk: "critical" });
  expect(alerts.find(read, undefined)).toEqual([]);
});

test("in a session alerts come right behind their call, and the summary tells them", () => {
  const init = request(0, "initialize", { clientInfo: { name: "claude-code", version: "2" } });
  const roomy = { name: "roomy", _meta: { "anthropic/maxResultSizeChars": 500_000 } };
  const play = new Play()
    .client(init, request(1, "tools/list"))
    .server({ jsonrpc: "2.0", id: 0, result: {} })
    .server({ jsonrpc: "2.0", id: 1, result: { tools: [roomy, { name: "narrow" }] } })
    .client(callTool(2, "roomy"), callTool(3, "narrow"))
    .server(textResult(2, "y".repeat(60_000)), textResult(3, "y".repeat(60_000)))
    .end();
  const told = play.records.map((record) => (record.type === "call" ? record.tool : record.type));
  // The first one is critical; only the second one is written to a file.
  expect(told.slice(-5)).toEqual(["roomy", "alert", "narrow", "alert", "end"]);
  expect(play.summary.alerts).toMatchObject([
    { alert: "heavy_call", tool: "roomy", count: 1 },
    { alert: "would_spill", tool: "narrow", count: 1 },
  ]);
  expect(play.records.map(({ seq }) => seq)).toEqual(play.records.map((_, at) => at));
});

const alertsOf = (told: Partial<CallRecord>, heldMs = 0, slowMs: number | undefined = 2_000) =>
  findSlowCall(callRecord(told), heldMs, slowMs);

describe("slowCallAlerts", () => {
  test("names the tool, its time and the limit", () => {
    expect(alertsOf({ duration_ms: 4_213.4 })).toEqual([
      {
        type: "alert",
        alert: "slow_call",
        tool: "search",
        budget: null,
        limit: 2_000,
        value: 4_213,
        detail: "took 4.21 s; --slow is 2 s",
      },
    ]);
  });

  test.each<[name: string, told: Partial<CallRecord>, count: number]>([
    ["as long as the limit", { duration_ms: 2_000 }, 0],
    ["a millisecond longer", { duration_ms: 2_001 }, 1],
    ["that failed", { duration_ms: 3_000, outcome: "tool_error" }, 1],
    ["that its client gave up", { duration_ms: 3_000, outcome: "cancelled" }, 1],
    ["that was never answered", { duration_ms: 3_000, outcome: "abandoned" }, 1],
    ["that was refused", { duration_ms: 3_000, outcome: "refused" }, 0],
    ["of a resource", { duration_ms: 3_000, method: "resources/read", tool: null }, 1],
    ["that asked a model", { duration_ms: 3_000, method: "sampling/createMessage" }, 0],
  ])("of a call %s", (_name, told, count) => {
    expect(alertsOf(told)).toHaveLength(count);
  });

  test("leaves out the time for which the request was held", () => {
    expect(alertsOf({ duration_ms: 50_000 }, 48_000)).toEqual([]);
    expect(alertsOf({ duration_ms: 50_000 }, 47_000)).toMatchObject([{ value: 3_000 }]);
  });

  test("is silent without a limit, and about traffic that is not a call", () => {
    expect(findSlowCall(callRecord({ duration_ms: 1e6 }), 0, undefined)).toEqual([]);
    expect(findSlowCall(protocolRecord({ duration_ms: 1e6 }), 0, 1)).toEqual([]);
  });
});
