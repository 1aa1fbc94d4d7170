import { describe, expect, test } from "bun:test";
import type { HttpExchange } from "#meter/calls/call.ts";
import { OpenCalls } from "#meter/calls/round-trips.ts";
import { callOf } from "../../support/made-calls.ts";

const id = { value: 1 };

function opened(...exchanges: readonly (HttpExchange | undefined)[]) {
  const open = new OpenCalls();
  const calls = exchanges.map((exchange) => callOf({}, { exchange }));
  for (const call of calls) open.forExchange(call.exchange).open("client", id, call);
  return { open, call: (at: number) => calls[at] ?? expect.unreachable() };
}

const stateless = (number: number): HttpExchange => ({ number, isStateless: true });
const inSession = (number: number): HttpExchange => ({ number, isStateless: false });

describe("OpenCalls", () => {
  test("an id of a stateless exchange has no meaning in another one", () => {
    const { open, call } = opened(stateless(1), stateless(2), undefined);
    expect(open.forExchange(stateless(2)).close("client", id)?.call).toBe(call(1));
    expect(open.forExchange(stateless(2)).close("client", id)).toBeUndefined();
    expect(open.forExchange(stateless(1)).close("client", id)?.call).toBe(call(0));
    expect(open.forExchange(undefined).close("client", id)?.call).toBe(call(2));
  });

  test("an id of a session has the same meaning in each of its exchanges", () => {
    const { open, call } = opened(inSession(1));
    expect(open.forExchange(inSession(7)).close("client", id)?.call).toBe(call(0));
  });

  test("leave removes the calls of one exchange, of either kind", () => {
    const { open, call } = opened(stateless(1), inSession(2), inSession(3), undefined);
    expect(open.takeExchange(1)).toEqual([call(0)]);
    expect(open.takeExchange(2)).toEqual([call(1)]);
    expect(open.takeExchange(2)).toEqual([]);
    expect(open.drain()).toEqual([call(2), call(3)]);
  });
});
