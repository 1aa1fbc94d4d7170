import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readMonotonicMs } from "#transport/forwarder/shared-memory.ts";
import { loadC } from "#kit/os/c-library.ts";
import { hasThread } from "../../support/forwarder.ts";

test.skipIf(!hasThread)(
  "monotonicMs: the system's clock, which counts as the runtime's does",
  async () => {
    const c = loadC();
    const nowMs = readMonotonicMs(c);
    const uptimeMs = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1_000;
    // Only one of the clocks counts time asleep, so a closer comparison would fail.
    expect(nowMs).toBeLessThan(uptimeMs + 1_000);
    const offset = (): number => readMonotonicMs(c) - performance.now();
    // Takes the best of many pairs: a pause between the two readings changes the difference.
    const best = (): number => Math.max(...Array.from({ length: 1_000 }, offset));
    const before = best();
    await Bun.sleep(30);
    expect(Math.abs(best() - before)).toBeLessThan(1);
  },
);

// A clock at 2^33 − 0.5 seconds.
function lateClock(_: number, address: number): number {
  const { toArrayBuffer }: typeof import("bun:ffi") = require("bun:ffi");
  new Int32Array(toArrayBuffer(address, 0, 16)).set([-1, 1, 500_000_000, 0]);
  return 0;
}

test("monotonicMs: seconds beyond 2^31 and nanoseconds", () => {
  const c = {
    clock_gettime: (...[id = 0, address = 0]: readonly number[]) => lateClock(id, address),
  };
  expect(readMonotonicMs(c)).toBe((2 ** 33 - 1) * 1_000 + 500);
});
