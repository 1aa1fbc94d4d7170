import { expect, test } from "bun:test";
import { type FollowedCall, collectLastCalls } from "#commands/tail/command.ts";
import { callRecord } from "../../support/made-records.ts";

const at = (second: number): string => new Date(second * 1000).toISOString();

function call(second: number, isNew = false): FollowedCall {
  return { record: callRecord({ ts: at(second) }), context: { tokens: second, share: 0 }, isNew };
}

function kept(count: number, files: readonly (readonly number[])[], fresh: readonly number[] = []) {
  const last = collectLastCalls(count);
  const facts = files.map((seconds, index) => ({
    path: String(index),
    bytes: 0,
    changedMs: Math.max(...seconds) * 1000,
  }));
  const read: string[] = [];
  last.readFrom(facts, (path) => {
    read.push(path);
    for (const second of files[Number(path)] ?? []) last.take(call(second));
  });
  for (const second of fresh) last.take(call(second, true));
  return { seconds: last.listCalls().map(({ context }) => context.tokens), read };
}

test("the last calls of all files in the order of time, and after them the new ones", () => {
  expect(kept(3, [[1, 9], [2, 8], [7]], [12, 11])).toMatchObject({ seconds: [7, 8, 9, 11, 12] });
  expect(kept(10, [[1], [2]]).seconds).toEqual([1, 2]);
});

test("files that cannot have a newer call are not read", () => {
  expect(kept(2, [[8, 9], [5], [1]]).read).toEqual(["0"]);
  expect(kept(2, [[1, 9], [5], [4]]).read).toEqual(["0", "1"]);
  expect(kept(0, [[1]])).toEqual({ seconds: [], read: [] });
});

test("a long file takes bounded memory", () => {
  const seconds = Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 5_000);
  expect(kept(2, [seconds]).seconds).toEqual([4_998, 4_999]);
});

test("a call keeps the context that it had", () => {
  const last = collectLastCalls(2);
  const context = { tokens: 1, share: 0 };
  last.take({ record: callRecord(), context, isNew: true });
  context.tokens = 2;
  expect(last.listCalls()[0]?.context.tokens).toBe(1);
});
