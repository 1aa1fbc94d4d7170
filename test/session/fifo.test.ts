import { expect, test } from "bun:test";
import { Fifo } from "#session/fifo.ts";
import { eventually } from "../support/wait.ts";

test("Fifo: first in, first out, however many", () => {
  const fifo = new Fifo<{ readonly id: number }>();
  const taken: number[] = [];
  for (let id = 0; id < 5_000; id += 1) {
    fifo.push({ id });
    if (id % 3 > 0) taken.push(fifo.shift()?.id ?? Number.NaN);
  }
  expect([fifo.first?.id, fifo.size]).toEqual([taken.length, 5_000 - taken.length]);
  while (fifo.size > 0) taken.push(fifo.shift()?.id ?? Number.NaN);
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_, id) => id));
  expect([fifo.first, fifo.shift(), fifo.size]).toEqual([undefined, undefined, 0]);
});

test("Fifo: an item that has left is not kept, although others still wait", async () => {
  const fifo = new Fifo<object>();
  let gone = 0;
  const registry = new FinalizationRegistry(() => (gone += 1));
  const add = () => {
    const item = { text: "x".repeat(1_000) };
    registry.register(item, undefined);
    fifo.push(item);
  };
  for (let added = 0; added < 200; added += 1) add();
  for (let taken = 0; taken < 100; taken += 1) fifo.shift();
  Bun.gc(true);
  // The collector is conservative: it may take some of them for being in use.
  await eventually("most are gone", () => gone > 50);
  expect(fifo.size).toBe(100);
});
