import { expect, test } from "bun:test";
import { Call } from "#calls/call.ts";
import { asItIs } from "#calls/carrier.ts";
import { describeRequest } from "#cost/methods.ts";
import { answerLine, refusalOf, type RefusalStyle } from "#session/refusal.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

const budget = {
  spec: "echo=10",
  tool: "echo",
  isOverall: false,
  limit: 10,
  unit: "tokens",
  per: "call",
  action: "error",
  warnAtPercent: null,
} as const;
const facts = {
  reason: "arguments_over_budget",
  name: "echo",
  budget,
  spent: 0,
  held: 0,
  tokens: 12,
  sureness: "exactly",
  refillMs: Infinity,
} as const;

function refusal(method: string, style: RefusalStyle): unknown {
  const params = { name: "echo" };
  const bytes = bytesOf(JSON.stringify({ jsonrpc: "2.0", id: "7", method, params }));
  const line = { bytes, size: bytes.length, skim: undefined };
  const origin = { from: "client", size: line.size, atMs: 0 } as const;
  const arrival = { ...origin, line, item: undefined, hasPassed: false };
  const request = { id: { value: "7" }, method, params, truncated: false };
  const call = new Call(request, describeRequest(method, params), origin);
  return JSON.parse(
    textOf(answerLine(refusalOf(call, facts, style), { arrival, carrier: asItIs })),
  );
}

test("a tool call is refused as a failure of the tool, complete in the modern era", () => {
  expect(refusal("tools/call", { form: "tool", isModern: false })).toMatchObject({
    id: "7",
    result: { isError: true },
  });
  expect(refusal("tools/call", { form: "tool", isModern: true })).toMatchObject({
    result: { resultType: "complete" },
  });
});

test("any other call, and every call where programs ask for it, is refused as an error", () => {
  const error = { code: -31_900, data: { source: "mcp-meter", limit: 10, tokens: 12 } };
  expect(refusal("prompts/get", { form: "tool", isModern: false })).toMatchObject({
    id: "7",
    error,
  });
  expect(refusal("tools/call", { form: "rpc", isModern: true })).toMatchObject({ id: "7", error });
});
