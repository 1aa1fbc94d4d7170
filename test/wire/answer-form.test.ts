import { expect, test } from "bun:test";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import * as fc from "fast-check";
import { isAcceptedEverywhere } from "#wire/parse-message.ts";

const rpc = { jsonrpc: "2.0" };

test.each([
  { ...rpc, id: 1, result: {} },
  { ...rpc, id: "a", result: { content: [], _meta: { mine: 1 } } },
  { ...rpc, id: 1, error: { code: -1, message: "", data: 1, more: 1 } },
])("%j is accepted everywhere", (message) => {
  expect(isAcceptedEverywhere(message)).toBe(true);
});

test.each([
  { ...rpc, id: null, result: {} },
  { ...rpc, id: 1.5, result: {} },
  { ...rpc, id: 1, result: null },
  { ...rpc, id: 1, result: [] },
  { ...rpc, id: 1, result: {}, error: { code: 1, message: "" } },
  { ...rpc, id: 1, result: {}, method: "x" },
  { ...rpc, id: 1, result: { _meta: { progressToken: 1.5 } } },
  { ...rpc, id: 1, error: { code: 1.5, message: "" } },
  { ...rpc, id: 1, error: { code: 1 } },
  { ...rpc, id: 1, error: null },
])("%j may be rejected", (message) => {
  expect(isAcceptedEverywhere(message)).toBe(false);
});

test("no answer that the SDK rejects is taken for an accepted one", () => {
  const any = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom({}, { _meta: {} }, { code: 1, message: "" }),
  );
  const message = fc.record(
    { jsonrpc: fc.constant("2.0"), id: any, result: any, error: any, x: any },
    { requiredKeys: ["jsonrpc"] },
  );
  fc.assert(
    fc.property(message, (candidate) => {
      if (!isAcceptedEverywhere(candidate)) return;
      expect(JSONRPCMessageSchema.safeParse(candidate).success).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
