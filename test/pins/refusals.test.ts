import { describe, expect, test } from "bun:test";
import { specTypeSchemas } from "@modelcontextprotocol/client";
import { CallToolResultSchema, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { describeRefusal } from "#meter/actions/refusal.ts";
import type { RefusalFacts } from "#meter/budgets/decision.ts";
import {
  makeErrorLine,
  makeResultLine,
  makeRefusalError,
  makeRefusalResult,
} from "#wire/message.ts";
import { textOf } from "../support/bytes.ts";

const data = {
  source: "mcp-meter",
  reason: "answer_over_budget",
  tool: "search",
  limit: 2_000,
  spent: 0,
  tokens: 2_500,
  per: "call",
} as const;

test("our code is outside of what JSON-RPC and MCP keep for themselves", () => {
  const code = -31_900;
  expect(makeRefusalError("No", data)).toMatchObject({ code });
  expect(code < -32_768 || code > -32_000).toBe(true);
});

test("a tool's refusal of each era", () => {
  expect(textOf(makeResultLine("7", makeRefusalResult("No", false)))).toBe(
    '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"No"}],"isError":true}}\n',
  );
  expect(textOf(makeResultLine('"a"', makeRefusalResult("No", true)))).toBe(
    '{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","content":[{"type":"text","text":"No"}],"isError":true}}\n',
  );
});

test("a refusal as an error", () => {
  expect(textOf(makeErrorLine("1.0", makeRefusalError("No", data)))).toBe(
    '{"jsonrpc":"2.0","id":1.0,"error":{"code":-31900,"message":"No","data":{"source":"mcp-meter","reason":"answer_over_budget","tool":"search","limit":2000,"spent":0,"tokens":2500,"per":"call"}}}\n',
  );
});

for (const rawId of ["9007199254740993", "1.0", "1e2", '""', '"\\u0061"']) {
  test(`the id ${rawId} is given back as it was written`, () => {
    expect(textOf(makeResultLine(rawId, makeRefusalResult("No", false)))).toContain(
      `"id":${rawId},`,
    );
  });
}

test("a refusal is one line, whatever its text", () => {
  const line = textOf(makeResultLine("1", makeRefusalResult('a\nb\u2028"\ud800', false)));
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toMatchObject({ result: { content: [{ text: 'a\nb\u2028"\ud800' }] } });
});

const { CallToolResult, JSONRPCMessage } = specTypeSchemas;

async function issuesOf(
  schema: typeof CallToolResult | typeof JSONRPCMessage,
  value: unknown,
): Promise<unknown> {
  const { issues } = await schema["~standard"].validate(value);
  return issues;
}

function parsed(line: Uint8Array): unknown {
  return JSON.parse(textOf(line));
}

function facts(spec: string, told: Partial<RefusalFacts>): RefusalFacts {
  return {
    reason: "answer_over_budget",
    name: "search",
    budget: parseBudget(spec, actions),
    spent: 0,
    held: 0,
    tokens: 3_120,
    precision: "exactly",
    refillMs: Infinity,
    ...told,
  };
}

describe("a refusal is what both SDKs take a message to be", () => {
  for (const isModern of [false, true]) {
    test(`as a tool's result, ${isModern ? "modern" : "legacy"}`, async () => {
      const result = makeRefusalResult("No", isModern);
      expect(CallToolResultSchema.safeParse(result).error).toBeUndefined();
      expect(await issuesOf(CallToolResult, result)).toBeUndefined();
      const message = parsed(makeResultLine("1", result));
      expect(JSONRPCMessageSchema.safeParse(message).error).toBeUndefined();
      expect(await issuesOf(JSONRPCMessage, message)).toBeUndefined();
    });
  }

  test("as an error", async () => {
    const message = parsed(makeErrorLine('"a"', makeRefusalError("No", data)));
    expect(JSONRPCMessageSchema.safeParse(message).error).toBeUndefined();
    expect(await issuesOf(JSONRPCMessage, message)).toBeUndefined();
  });
});

describe("what the model reads", () => {
  const spent = "budget_spent" as const;
  const rows: readonly (readonly [facts: RefusalFacts, text: string])[] = [
    [
      facts("search=2000", {}),
      "mcp-meter: search ran, but its answer was withheld: the call is 3,120 tokens; the budget allows 2,000 tokens per call. Narrow the query or ask for fewer rows.",
    ],
    [
      facts("search=2000/day", { spent: 1_500, precision: "at least" }),
      "mcp-meter: search ran, but its answer was withheld: the call is at least 3,120 tokens; the budget allows 2,000 tokens per day, of which 1,500 are spent. Narrow the query or ask for fewer rows.",
    ],
    [
      facts("2000/session", { name: "resources/read", precision: "at most" }),
      "mcp-meter: resources/read ran, but its answer was withheld: the call is at most 3,120 tokens; the budget allows 2,000 tokens per session, of which 0 are spent. Narrow the query or ask for fewer rows.",
    ],
    [
      facts("search=2000", { reason: "arguments_over_budget" }),
      "mcp-meter: search was not run. Its arguments are 3,120 tokens; the budget allows 2,000 tokens per call. Send shorter arguments.",
    ],
    [
      facts("search=2000/day", { reason: spent, spent: 2_000, held: 400 }),
      "mcp-meter: search was not run. Its budget of 2,000 tokens per day has no room for it now: 1,600 spent, 400 reserved for open calls. Try again when open calls are answered.",
    ],
    [
      facts("search=0", { reason: "tool_forbidden" }),
      "mcp-meter: search was not run. It is forbidden by a configured limit. Continue without it.",
    ],
    [
      facts("all=2000/day", { reason: spent, spent: 2_000, refillMs: 61_000 }),
      "mcp-meter: search was not run. The budget of 2,000 tokens per day for all servers is used up. The budget refills in 1 min 1 s; continue without this call, or try again then.",
    ],
    [
      facts("search=2000/day", { reason: "counters_unreachable" }),
      "mcp-meter: search was not run. Its budget of 2,000 tokens per day cannot be checked: its counter cannot be reached. Try again later, or ask the user.",
    ],
    [
      facts("search=2000/session", { reason: spent, spent: 1_990 }),
      "mcp-meter: search was not run. Its budget of 2,000 tokens per session has no room for it: 1,990 are spent. Continue without this call, or ask the user to raise the budget.",
    ],
    [
      facts("search=1calls/minute", { reason: spent, spent: 1, refillMs: 900 }),
      "mcp-meter: search was not run. Its budget of 1 call per minute is used up. The budget refills in 1 s; continue without this call, or try again then.",
    ],
    [
      facts("search=20calls/hour", { reason: spent, spent: 20, refillMs: 119_001 }),
      "mcp-meter: search was not run. Its budget of 20 calls per hour is used up. The budget refills in 2 min; continue without this call, or try again then.",
    ],
    [
      facts("search=20k/day", { reason: spent, spent: 20_000, refillMs: 7_200_001 }),
      "mcp-meter: search was not run. Its budget of 20,000 tokens per day is used up. The budget refills in 2 h 1 min; continue without this call, or try again then.",
    ],
    [
      facts("search=2000", { reason: "repeated_call", spent: 3 }),
      "mcp-meter: search was not run. It was called 3 times in a row with the same arguments. Use the earlier answer or change the arguments.",
    ],
    [
      facts("search=2000", { reason: "repeated_call", spent: 1 }),
      "mcp-meter: search was not run. It was called once with the same arguments. Use the earlier answer or change the arguments.",
    ],
    [
      facts("search=2000", { reason: "definition_changed" }),
      "mcp-meter: search was not run. Its definition differs from the lock file, and changed tools are not allowed. Ask the user to review the change and to update the lock.",
    ],
    [
      facts("search=2000", { reason: "tool_not_locked" }),
      "mcp-meter: search was not run. It is not in the lock file, and only locked tools are allowed. Ask the user to review the tool and to update the lock.",
    ],
    [
      facts("search=2000", { reason: "definition_not_seen" }),
      "mcp-meter: search was not run. Its definition in this session could not be compared with the lock file. Continue without it, or ask the user to check the server's list of tools.",
    ],
  ];
  for (const [told, text] of rows) {
    test(text, () => {
      expect(describeRefusal(told)).toBe(text);
      expect(text.length).toBeLessThan(300);
    });
  }

  test("a long name is cut, never within a character", () => {
    const text = describeRefusal(facts("search=2000", { name: "🌹".repeat(200) }));
    expect(text.length).toBeLessThan(300);
    expect(text).toContain("…");
    expect(text.isWellFormed()).toBe(true);
  });
});
