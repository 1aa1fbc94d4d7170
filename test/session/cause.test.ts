import { expect, test } from "bun:test";
import { Call } from "#calls/call.ts";
import { describeRequest } from "#cost/methods.ts";
import { toCause } from "#session/cause.ts";

const request = { id: { value: 1 }, method: "tools/call", params: {}, truncated: false };
const origin = { from: "client", size: 10, atMs: 0 } as const;
const call = new Call(request, describeRequest(request.method, request.params), origin);
const didRun = (closing: object) => {
  const cause = toCause({ kind: "call", call, closing: { outcome: "ok", endedMs: 1, ...closing } });
  return cause.kind === "call" && cause.didRun;
};

test("toCause: a call did not run when JSON-RPC itself refused it", () => {
  for (const code of [-32_700, -32_600, -32_601, -32_602])
    expect(didRun({ error: { code } })).toBe(false);
  for (const closing of [{}, { result: {} }, { error: {} }, { error: { code: -32_603 } }]) {
    expect(didRun(closing)).toBe(true);
  }
});

test("toCause keeps neither the answer of a call nor the body of a record", () => {
  const entry = { kind: "call", call, closing: { outcome: "ok", endedMs: 1, result: {} } } as const;
  expect(Object.keys(toCause(entry))).toEqual(["kind", "call", "didRun"]);
  const body = { type: "fault", where: "here", what: "this" } as const;
  expect(toCause({ kind: "body", body })).toEqual({ kind: "body" });
});
