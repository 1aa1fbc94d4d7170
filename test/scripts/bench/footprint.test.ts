import { expect, test } from "bun:test";
import { Footprint } from "../../../scripts/bench/footprint.ts";
import { withMemory } from "../../../scripts/bench/memory.ts";

test("samples of a warm-up are drawn and not judged", () => {
  let nowMs = 5_000;
  const footprint = new Footprint(process.pid, 3, () => nowMs);
  footprint.sample();
  expect([footprint.settled, footprint.descriptors.size]).toEqual([[], 0]);
  nowMs += 60_000;
  footprint.sample();
  expect(footprint.resident.map(({ x }) => x)).toEqual([0, 1]);
  expect(footprint.settled.map(({ x }) => x)).toEqual([1]);
  expect([...footprint.descriptors][0]).toBeGreaterThan(2);
  expect([...footprint.threads][0]).toBeGreaterThan(0);
  expect(footprint.mbPerMinute).toBe(0);
});

test("a warm-up takes five minutes at most", () => {
  let nowMs = 0;
  const footprint = new Footprint(process.pid, 30, () => nowMs);
  for (; nowMs <= 6 * 60_000; nowMs += 60_000) footprint.sample();
  expect(footprint.settled.map(({ x }) => x)).toEqual([5, 6]);
});

test("growth compares the last third of the settled samples with the first", () => {
  const footprint = new Footprint(process.pid, 30, clock(60_000));
  for (let minute = 1; minute <= 12; minute++) footprint.sample();
  const [first = 0, second = 0] = [footprint.settled.slice(0, 3), footprint.settled.slice(-3)].map(
    (points) => Math.max(...points.map(({ y }) => y)),
  );
  expect(footprint.settled.length).toBe(8);
  expect(footprint.growth).toBe(second / first);
  expect(footprint.highestMb).toBe(Math.max(...footprint.settled.map(({ y }) => y)));
});

test("without samples there is no highest and no growth", () => {
  const footprint = new Footprint(process.pid, 1);
  expect([footprint.highestMb, footprint.growth]).toEqual([Number.NaN, Number.NaN]);
});

/** A clock that is `stepMs` later each time. */
function clock(stepMs: number): () => number {
  let nowMs = -stepMs;
  return () => (nowMs += stepMs);
}

test("memory is sampled while work runs, at its beginning and at its end at least", async () => {
  const [result, memory] = await withMemory(process.pid, async () => "done");
  expect(result).toBe("done");
  expect(memory.resident.length).toBe(2);
  expect(memory.peakMb).toBeGreaterThan(1);
});

test("a process that ended has no memory", async () => {
  const { pid, exited } = Bun.spawn(["true"]);
  await exited;
  const [, memory] = await withMemory(pid, async () => {});
  expect(memory).toEqual({ peakMb: Number.NaN, resident: [] });
});
