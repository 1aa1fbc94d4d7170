import { expect, test } from "bun:test";
import { CallRuns } from "#history/reports/advice/call-runs.ts";
import { RepeatRoom } from "#history/reports/repeat-table.ts";

const [a, b] = ["a".repeat(64), "b".repeat(64)];

type Made = readonly [row: number, hash: string | null, answerTokens: number | null];

function findRefused(calls: readonly Made[], order = calls.map((_, at) => at)) {
  const runs = new CallRuns(new RepeatRoom());
  for (const seq of order) {
    const [row, hash, answerTokens] = calls[seq] ?? [0, null, 0];
    runs.add({ seq, row, hash, answerTokens });
  }
  return Object.fromEntries(runs.findRefusable(2));
}

test("calls after two identical ones in a row are refusable, in any order of records", () => {
  const calls: Made[] = [1, 2, 4, 8].map((tokens) => [7, a, tokens]);
  expect(findRefused(calls)).toEqual({ 7: { calls: 2, tokens: 12 } });
  expect(findRefused(calls, [3, 1, 0, 2])).toEqual({ 7: { calls: 2, tokens: 12 } });
});

test("a call of another tool or with other arguments ends the row", () => {
  expect(
    findRefused([
      [7, a, 9],
      [7, a, 9],
      [7, b, 9],
      [7, a, 9],
    ]),
  ).toEqual({});
  expect(
    findRefused([
      [7, a, 9],
      [7, a, 9],
      [8, a, 9],
      [7, a, 9],
    ]),
  ).toEqual({});
});

test("unknown arguments equal no others; a refused call continues the row and saves nothing", () => {
  expect(findRefused([1, 2, 3].map(() => [7, null, 9]))).toEqual({});
  const after: Made[] = [
    [7, a, 9],
    [7, a, 9],
    [7, a, null],
    [7, a, 0],
  ];
  expect(findRefused(after)).toEqual({ 7: { calls: 1, tokens: 0 } });
});

test("more calls than the initial room", () => {
  expect(findRefused(Array.from({ length: 100 }, () => [1, a, 10]))).toEqual({
    1: { calls: 98, tokens: 980 },
  });
});

test("without room for a call, nothing is refusable", () => {
  const room = new RepeatRoom();
  const runs = new CallRuns(room);
  for (const seq of [0, 1, 2]) runs.add({ seq, row: 1, hash: a, answerTokens: 5 });
  while (room.reserve());
  runs.add({ seq: 3, row: 1, hash: b, answerTokens: 5 });
  expect(runs.findRefusable(2).size).toBe(0);
});
