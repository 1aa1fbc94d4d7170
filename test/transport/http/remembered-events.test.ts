import { expect, test } from "bun:test";
import {
  RememberedEvents,
  eventIdsMax,
  rememberedBytesMax,
} from "#transport/http/http-conversation.ts";
import { passUnchanged, type MessageVerdict } from "#transport/http/verdict.ts";
import { bytesOf } from "../../support/bytes.ts";

const event = (id: string | undefined, text: string) => {
  const bytes = bytesOf(text);
  return { id, line: { bytes, size: bytes.length, skim: undefined } };
};

const withheld = (bytes: number): MessageVerdict => ({
  passes: false,
  remaining: undefined,
  replies: [new Uint8Array(bytes)],
  isBatch: false,
  isLate: false,
});

test("knows an event by its id and text, with its verdict", () => {
  const events = new RememberedEvents();
  const verdict = withheld(3);
  events.add(event("1", "a"), verdict);
  expect(events.find(event("1", "a"))).toBe(verdict);
  expect(events.find(event("2", "a"))).toBeUndefined();
  // Some servers number the events of each stream from 0.
  expect(events.find(event("1", "b"))).toBeUndefined();
  events.add(event("1", "b"), passUnchanged);
  expect(events.find(event("1", "a"))).toBeUndefined();
  expect(events.find(event("1", "b"))).toBe(passUnchanged);
});

test.each([undefined, ""])("an event with the id %p is not remembered", (id) => {
  const events = new RememberedEvents();
  events.add(event(id, "a"), passUnchanged);
  expect(events.find(event(id, "a"))).toBeUndefined();
});

test("remembers the newest ids up to the limit", () => {
  const events = new RememberedEvents();
  for (let id = 0; id <= eventIdsMax; id += 1) events.add(event(String(id), "a"), passUnchanged);
  expect(events.find(event("1", "a"))).toBe(passUnchanged);
  expect(events.find(event("0", "a"))).toBeUndefined();
});

test("long lines of ours make older events forgotten, also when their verdict comes later", async () => {
  const events = new RememberedEvents();
  const half = withheld(rememberedBytesMax / 2);
  events.add(event("1", "a"), half);
  events.add(event("2", "a"), Promise.resolve(half));
  events.add(event("3", "a"), passUnchanged);
  await Promise.resolve();
  expect(events.find(event("1", "a"))).toBe(half);
  events.add(event("4", "a"), withheld(1));
  expect(events.find(event("1", "a"))).toBeUndefined();
  expect(await events.find(event("2", "a"))).toBe(half);
  // Repeating an id frees its earlier bytes.
  for (let time = 0; time < 4; time += 1) events.add(event("5", String(time)), half);
  expect(events.find(event("5", "3"))).toBe(half);
});
