import { describe, expect, test } from "bun:test";
import {
  type ConversationEvent,
  type RunningTotalEvent,
  type LogEvent,
  noUsage,
} from "#history/imports/log-event.ts";
import { collectConversations } from "#history/imports/merge-logs.ts";
import { convertRunningTotals } from "#history/imports/requests-from-totals.ts";
import { requestLine } from "../../support/logs.ts";

function count(
  output: number,
  last: number | null,
  facts: Partial<RunningTotalEvent> = {},
): RunningTotalEvent {
  return {
    kind: "running_total",
    at: 1000,
    conversation: "one",
    model: "gpt",
    total: { ...noUsage, output },
    last: last === null ? null : { ...noUsage, output: last },
    isEarly: false,
    turn: null,
    ...facts,
  };
}

const child: ConversationEvent = {
  kind: "conversation",
  at: 2000,
  conversation: "two",
  session: "two",
  role: "fork",
  parent: "one",
  clientVersion: null,
  project: null,
};

const childCount = (output: number, last: number | null, facts: Partial<RunningTotalEvent> = {}) =>
  count(output, last, { conversation: "two", at: 3000, ...facts });

function resolve(...files: readonly (readonly LogEvent[])[]) {
  const conversations = collectConversations(files);
  const requests = convertRunningTotals(files, conversations);
  const outputs = (id: string) =>
    requests.filter(({ conversation }) => conversation === id).map(({ usage }) => usage.output);
  return {
    one: outputs("one"),
    two: outputs("two"),
    isApproximate: conversations.get("two")?.isApproximate,
  };
}

describe("a conversation of its own", () => {
  test("has the difference of each two totals, and none for a repeated total", () => {
    expect(resolve([count(5, 5), count(5, 5), count(12, 7)]).one).toEqual([5, 7]);
  });

  test("has the last request after a reset, or the total without one", () => {
    expect(resolve([count(9, 9), count(4, 3), count(1, null)]).one).toEqual([9, 3, 1]);
  });

  test("whose counter is reset to nothing has no request", () => {
    expect(resolve([count(9, 9), count(0, 0), count(4, 4)]).one).toEqual([9, 4]);
  });

  test("in two files is counted once, by the file with more counters", () => {
    const long = [count(5, 5), count(12, 7)];
    expect(resolve(long, [count(5, 5)]).one).toEqual([5, 7]);
    expect(resolve([count(5, 5)], long).one).toEqual([5, 7]);
  });

  test("that logs requests is counted by these from then on", () => {
    expect(resolve([count(5, 5), requestLine(), count(12, 7)]).one).toEqual([5]);
  });
});

const turn = (name: string) => ({ turn: name });

describe("a child with its parent at hand", () => {
  const parent = [count(5, 5), count(12, 7), count(20, 8)];

  test("begins after the copy of its parent's counters", () => {
    const copy = [child, childCount(5, 5), childCount(12, 7), childCount(13, 1)];
    expect(resolve(parent, copy).two).toEqual([1]);
    expect(resolve(copy, parent).two).toEqual([1]);
  });

  test("may have turns as large as its parent's after its first turn", () => {
    const copy = [child, childCount(5, 5), childCount(6, 1), childCount(12, 6), childCount(20, 8)];
    expect(resolve(parent, copy).two).toEqual([1, 6, 8]);
  });

  test("may begin with a total alone", () => {
    expect(resolve(parent, [child, childCount(30, 0), childCount(32, 2)]).two).toEqual([2]);
  });

  test("that copies nothing continues its parent's counter, or begins at zero", () => {
    expect(resolve(parent, [child, childCount(23, 3), childCount(24, 1)]).two).toEqual([3, 1]);
    expect(resolve(parent, [child, childCount(3, 3), childCount(4, 1)]).two).toEqual([3, 1]);
  });

  test("counts a turn that is as large as its parent's", () => {
    const inTurns = [count(5, 5, turn("a")), count(12, 7, turn("b"))];
    expect(resolve(inTurns, [child, childCount(5, 5, turn("c"))]).two).toEqual([5]);
    expect(resolve(inTurns, [child, childCount(5, 5, turn("a"))]).two).toEqual([]);
  });
});

describe("a child without its parent", () => {
  test("leaves out counters with the time of its start, and is approximate", () => {
    const early = { isEarly: true };
    const copy = [child, childCount(5, 5, early), childCount(12, 7, early), childCount(13, 1)];
    expect(resolve(copy)).toMatchObject({ two: [1], isApproximate: true });
  });

  test("that copies nothing has the last request of its first counter", () => {
    expect(resolve([child, childCount(23, 3), childCount(24, 1)]).two).toEqual([3, 1]);
  });
});
