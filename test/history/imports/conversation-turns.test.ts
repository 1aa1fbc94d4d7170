import { expect, test } from "bun:test";
import type { BoundaryEvent, EntryEvent } from "#history/imports/log-event.ts";
import { groupTurns, type TurnSources } from "#history/imports/conversation-turns.ts";
import { callAt, requestAt } from "./support/facts.ts";

function entryAt(at: number | null, entry: EntryEvent["entry"]): EntryEvent {
  return { kind: "entry", at, conversation: "c", entry, line: null };
}

function boundaryAt(at: number): BoundaryEvent {
  return { kind: "boundary", at, conversation: "c", reason: "compaction", line: null };
}

function makeTurns(sources: Partial<TurnSources>) {
  const [found, ...more] = groupTurns({
    requests: [requestAt(10), requestAt(20), requestAt(30)],
    boundaries: [],
    entries: [],
    calls: [],
    ...sources,
  });
  if (!found || more.length > 0) throw new Error("one conversation");
  return found;
}

test.each([
  ["asked by its message", callAt(5, 12, { message: "b" }), 1, 2],
  ["without a message, asked by the request whose usage is written next", callAt(9, 12), 0, 1],
  ["answered after two requests", callAt(9, 25), 0, 2],
  ["answered after the last request", callAt(9, 31), 0, null],
  ["without an answer", callAt(9, null), 0, null],
  ["asked after the last request", callAt(99, 100), 2, null],
  ["without a time", callAt(null, 12), 2, null],
])("a call %s", (_what, call, turn, readBy) => {
  const requests = [requestAt(10), requestAt(20, { message: "b" }), requestAt(30)];
  expect(makeTurns({ requests, calls: [call] }).calls).toEqual([{ call, turn: turn, readBy }]);
});

test("requests are sorted by time; requests without a time, or not logged, are left out", () => {
  const requests = [
    requestAt(30),
    requestAt(null),
    requestAt(10),
    requestAt(20, { isLogged: false }),
  ];
  expect(makeTurns({ requests }).turns.map(({ at }) => at)).toEqual([10, 30]);
});

test("a boundary starts the context over, and no prompt reads the answers before it", () => {
  const { turns, calls } = makeTurns({ boundaries: [boundaryAt(15)], calls: [callAt(9, 12)] });
  expect(turns.map(({ startsOver }) => startsOver)).toEqual([false, true, false]);
  expect(calls[0]?.readBy).toBeNull();
});

test("each turn counts the entries since the turn before", () => {
  const calls = [
    callAt(9, 12),
    callAt(9, 13, { tokens: null }),
    callAt(9, 14, { images: 1 }),
    callAt(9, 14, { visible: "unknown" }),
  ];
  const entries = [
    entryAt(15, "text"),
    entryAt(16, "other_result"),
    // Written with the first answer, so the second prompt may contain it.
    entryAt(10, "reasoning"),
    entryAt(99, "text"),
    entryAt(null, "text"),
  ];
  const [first, second, third] = makeTurns({ calls, entries }).turns;
  const none = {
    answers: 0,
    answerTokens: 0,
    unmeasured: 0,
    texts: 0,
    otherResults: 0,
    hiddenReasonings: 0,
  };
  expect([first?.newContent, third?.newContent]).toEqual([none, none]);
  expect(second?.newContent).toEqual({
    answers: 4,
    answerTokens: 100,
    unmeasured: 3,
    texts: 1,
    otherResults: 1,
    hiddenReasonings: 1,
  });
});

test("conversations are not mixed", () => {
  const turns = groupTurns({
    requests: [requestAt(10), requestAt(20, { conversation: "d" })],
    boundaries: [],
    entries: [],
    calls: [callAt(9, 12, { conversation: "d" })],
  });
  expect(
    [...turns].map((found) => [found.conversation, found.turns.length, found.calls.length]),
  ).toEqual([
    ["c", 1, 0],
    ["d", 1, 1],
  ]);
});
