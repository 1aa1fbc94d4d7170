import { expect, test } from "bun:test";
import { garbageBytesMax, lineGarbageBytes, Garbage } from "#transport/proxy/observer.ts";

test("Garbage is collected once lines of that many bytes were processed, and then again", () => {
  let collected = 0;
  const garbage = new Garbage(() => (collected += 1));
  const most = garbageBytesMax - lineGarbageBytes;
  const after = (bytes: number) => {
    garbage.add(bytes);
    garbage.collectWhenDue();
    return collected;
  };
  expect([after(most), after(1), after(most), after(1)]).toEqual([0, 1, 1, 2]);
});

test("Garbage waits for a moment in which a pause delays nothing", () => {
  let collected = 0;
  const garbage = new Garbage(() => (collected += 1));
  garbage.add(garbageBytesMax * 3);
  expect(collected).toBe(0);
  garbage.collectWhenDue();
  garbage.collectWhenDue();
  expect(collected).toBe(1);
});
