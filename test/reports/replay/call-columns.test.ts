import { expect, test } from "bun:test";
import { CallColumns, type NumberedCall } from "#reports/replay/call-columns.ts";

const call = (told: Partial<NumberedCall>): NumberedCall => ({
  ms: 0,
  session: 0,
  kind: 0,
  seq: 0,
  input: 1,
  output: 2,
  counted: 3,
  ...told,
});

function inOrder(calls: readonly NumberedCall[], ranks: readonly number[]): NumberedCall[] {
  const columns = new CallColumns();
  for (const one of calls) columns.add(one);
  const visited: NumberedCall[] = [];
  columns.visit(columns.inOrder(ranks), (one) => visited.push({ ...one }));
  return visited;
}

test("calls come by time, then by session and sequence, whichever was added first", () => {
  const calls = [
    call({ ms: 1, session: 0, seq: 7 }),
    call({ ms: 2, session: 1, seq: 1, kind: 4, input: 5, output: 6, counted: 12 }),
    call({ ms: 2, session: 0, seq: 1 }),
    call({ ms: 2, session: 0, seq: 2 }),
  ];
  // Session 1 is before session 0.
  expect(inOrder(calls, [1, 0])).toEqual(calls);
  expect(inOrder(calls.toReversed(), [1, 0])).toEqual(calls);
});

test("there may be many of them", () => {
  const calls = Array.from({ length: 40_000 }, (_, at) => call({ ms: at, seq: at }));
  const visited = inOrder(calls.toReversed(), []);
  expect(visited).toHaveLength(40_000);
  expect(visited.at(-1)).toEqual(call({ ms: 39_999, seq: 39_999 }));
});
