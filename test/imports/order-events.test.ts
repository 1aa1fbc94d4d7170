import { expect, test } from "bun:test";
import { conversationsOf } from "#imports/conversations.ts";
import type { LogEvent } from "#imports/log-event.ts";
import { orderEvents } from "#imports/order-events.ts";
import { requestLine } from "../support/logs.ts";

function order(...files: readonly (readonly LogEvent[])[]): string[] {
  const logs = files.map((events) => ({ events }));
  return orderEvents(logs, conversationsOf(files)).map(
    ({ conversation, at }) => `${conversation} ${at}`,
  );
}

const early = [requestLine({ conversation: "early", at: 1 })];
const late = [
  requestLine({ conversation: "late", at: 9 }),
  requestLine({ conversation: "late", at: 2 }),
];
const agent = [requestLine({ conversation: "agent", at: 0, isSideChain: true })];

test("originals are before their copies, in any order of files", () => {
  const expected = ["early 1", "late 9", "late 2", "agent 0"];
  expect(order(early, late, agent)).toEqual(expected);
  expect(order(agent, late, early)).toEqual(expected);
});

test("conversations that began together are ordered by id, and of two copies the longer is last", () => {
  const twin = [requestLine({ conversation: "a twin", at: 1 })];
  expect(order(early, twin)).toEqual(["a twin 1", "early 1"]);
  const longer = [...early, requestLine({ conversation: "early", at: 3 })];
  expect(order(longer, early)).toEqual(["early 1", "early 1", "early 3"]);
});

test("rows of a database are before files about the same conversation", () => {
  const row = { events: [requestLine({ conversation: "one", at: 2 }), requestLine({ at: 3 })] };
  const file = { events: [requestLine({ conversation: "one", at: 1 })] };
  const events = orderEvents([file, { ...row, isDatabase: true }], conversationsOf([]));
  expect(events.map(({ at }) => at)).toEqual([2, 3, 1]);
});
