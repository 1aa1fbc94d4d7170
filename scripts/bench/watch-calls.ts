import { CallTail } from "./call-tail.ts";

const defaultIdleMaxMs = 10_000;

/**
 * Waits until a record file holds `calls` call records and returns the time (of `performance.now`) at which it did;
 * NaN when none arrives for `idleMaxMs`. Reads the file every `everyMs`.
 */
export async function watchCalls(
  path: string,
  calls: number,
  everyMs: number,
  idleMaxMs = defaultIdleMaxMs,
): Promise<number> {
  const tail = new CallTail(path);
  try {
    let last = 0;
    let lastMs = performance.now();
    for (;;) {
      const found = tail.poll();
      const nowMs = performance.now();
      if (found >= calls) return nowMs;
      if (found > last) lastMs = nowMs;
      if (nowMs - lastMs > idleMaxMs) return Number.NaN;
      last = found;
      await Bun.sleep(everyMs);
    }
  } finally {
    tail.close();
  }
}
