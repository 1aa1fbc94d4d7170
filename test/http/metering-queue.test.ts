import { expect, test } from "bun:test";
import { MeteringQueue } from "#http/metering-queue.ts";

function filled(count: number) {
  const queue = new MeteringQueue();
  const log: number[] = [];
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const places = gates.map(({ promise }, at) =>
    queue.add(async () => {
      await promise;
      log.push(at);
    }),
  );
  return { queue, log, places, open: (at: number) => gates[at]?.resolve() };
}

test("does all up to a place, in order and one at a time", async () => {
  const { queue, log, places, open } = filled(3);
  open(1);
  const both = queue.run(places[1]);
  await Bun.sleep(0);
  expect(log).toEqual([]);
  open(0);
  await both;
  expect(log).toEqual([0, 1]);
  expect(queue.run(places[0])).toBeUndefined();
  open(2);
  await queue.run();
  expect(log).toEqual([0, 1, 2]);
  expect(queue.run()).toBeUndefined();
});

test("more is wanted while a part runs, and a part that runs is waited for", async () => {
  const { queue, log, places, open } = filled(3);
  const first = queue.run(places[0]);
  const again = queue.run(places[0]);
  const all = queue.run();
  for (const at of [0, 1, 2]) open(at);
  await again;
  expect(log).toContain(0);
  await Promise.all([first, all]);
  expect(log).toEqual([0, 1, 2]);
});

test("what is added while it runs is not done before its place is wanted", async () => {
  const queue = new MeteringQueue();
  const log: string[] = [];
  queue.add(async () => {
    log.push("first");
    queue.add(async () => void log.push("second"));
  });
  await queue.run();
  expect(log).toEqual(["first"]);
  await queue.run();
  expect(log).toEqual(["first", "second"]);
});
