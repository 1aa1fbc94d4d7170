import { expect, test } from "bun:test";
import { HttpConversation } from "#http/http-conversation.ts";
import { eventIdsMax } from "#limits/http.ts";
import { bytesOf } from "../support/bytes.ts";

const event = (id: string | undefined, text: string) => {
  const bytes = bytesOf(text);
  return { id, line: { bytes, size: bytes.length, skim: undefined } };
};

function conversation(isStateless = false) {
  let closed = 0;
  const meter = { take: () => true, over: () => undefined, room: () => undefined };
  const opening = Promise.resolve({ meter, close: async () => void (closed += 1) });
  return { one: new HttpConversation(isStateless, opening, 5), meter, closed: () => closed };
}

test("is silent since its last exchange ended, and not while there is one", () => {
  const { one } = conversation();
  expect(one.silentSinceMs).toBe(5);
  one.enter();
  one.enter();
  one.leave(7);
  expect(one.silentSinceMs).toBe(Infinity);
  one.leave(9);
  expect(one.silentSinceMs).toBe(9);
});

test("names its exchanges, gives its meter, and closes it", async () => {
  const { one, meter, closed } = conversation(true);
  expect(one.exchange(3)).toEqual({ number: 3, isStateless: true });
  expect(await one.meter()).toBe(meter);
  await one.close();
  expect(closed()).toBe(1);
});

test("a meter that failed to open is none", async () => {
  const one = new HttpConversation(false, Promise.resolve(undefined), 0);
  expect(await one.meter()).toBeUndefined();
  await one.close();
});

test("knows an event of a resumed stream that it took before, by its id and text", () => {
  const { one } = conversation();
  expect(one.isReplayed(event("1", "a"), false)).toBe(false);
  expect(one.isReplayed(event("1", "a"), true)).toBe(true);
  expect(one.isReplayed(event("2", "a"), true)).toBe(false);
  // Some servers number the events of each stream from 0.
  expect(one.isReplayed(event("1", "b"), true)).toBe(false);
  expect(one.isReplayed(event("1", "b"), false)).toBe(false);
  expect(one.isReplayed(event(undefined, "a"), true)).toBe(false);
  expect(one.isReplayed(event("", "a"), true)).toBe(false);
});

test("remembers the newest ids up to the limit", () => {
  const { one } = conversation();
  for (let id = 0; id <= eventIdsMax; id += 1) one.isReplayed(event(String(id), "a"), false);
  expect(one.isReplayed(event("1", "a"), true)).toBe(true);
  expect(one.isReplayed(event("0", "a"), true)).toBe(false);
});
