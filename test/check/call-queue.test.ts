import { expect, test } from "bun:test";
import { CallQueue } from "#check/call-recorder.ts";

const same = (call: string) => call;

function queueOf(...keys: readonly string[]) {
  const queue = new CallQueue<string>({ openMax: 3, heldMax: 2 });
  for (const key of keys) queue.open(key, key.toUpperCase());
  return queue;
}

test("CallQueue gives calls in the order in which they were opened", () => {
  const queue = queueOf("a", "b", "c");
  expect(queue.close("c", same)).toEqual([]);
  expect(queue.close("a", (call) => `${call}!`)).toEqual(["A!"]);
  expect(queue.close("b", same)).toEqual(["B", "C"]);
  expect(queue.close("b", same)).toEqual([]);
  expect(queue.finish()).toEqual([]);
});

test("CallQueue leaves out a call that is closed without one", () => {
  const queue = queueOf("a", "b");
  expect(queue.close("b", same)).toEqual([]);
  expect(queue.close("a", () => undefined)).toEqual(["B"]);
});

test("CallQueue does not wait for a call that is passed, nor for one that is never closed", () => {
  const queue = queueOf("a", "b", "c");
  queue.close("b", same);
  expect(queue.pass("a")).toEqual(["B"]);
  expect(queue.close("a", same)).toEqual(["A"]);
  expect(queue.pass("x")).toEqual([]);
  queue.open("d", "D");
  expect(queue.close("d", same)).toEqual([]);
  expect(queue.finish()).toEqual(["D"]);
  expect(queue.close("c", same)).toEqual(["C"]);
});

test("CallQueue holds no more calls than heldMax", () => {
  const queue = queueOf("a");
  const given = ["b", "c", "d"].map((key) => {
    queue.open(key, key.toUpperCase());
    return queue.close(key, same);
  });
  expect(given).toEqual([[], [], ["B", "C", "D"]]);
  expect(queue.close("a", same)).toEqual(["A"]);
});

test("CallQueue forgets the oldest of openMax calls, and a call whose key is opened again", () => {
  const queue = queueOf("a", "b", "c", "d");
  expect(queue.close("a", same)).toEqual([]);
  expect(queue.close("b", same)).toEqual(["B"]);
  queue.open("c", "again");
  expect(queue.close("c", same)).toEqual([]);
  expect(queue.close("d", same)).toEqual(["D", "again"]);
});

test("CallQueue gives what waited for a call that is forgotten", () => {
  const queue = queueOf("a", "b", "c");
  queue.close("c", same);
  queue.open("d", "D");
  queue.close("b", same);
  expect(queue.open("a", "again")).toEqual(["B", "C"]);
});
