import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import type { Session } from "./session.ts";
import { request } from "./rpc.ts";

/** For tests of how long something takes: a busy machine gets another try, a slow meter fails them all. */
export const judgedByTime = { timeout: 60_000, retry: 5 };

export async function cpuMs(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export async function pingTimes(session: Session, count: number, gapMs = 0): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const id = `ping-${crypto.randomUUID()}`;
    const from = session.stdout.length;
    const started = performance.now();
    await session.send(request(id, "ping"));
    await session.grows(from, `"${id}"`);
    times.push(performance.now() - started);
    if (gapMs > 0) await Bun.sleep(gapMs);
  }
  return times;
}

/** The milliseconds of a bound on this machine now: in proportion more where processors are shared or slow. */
export function allowed(ms: number): number {
  const [average = 0] = loadavg();
  const sharing = Math.max(average, runnable()) / availableParallelism();
  return ms * Math.max(1, sharing) * Math.max(1, measureParsing() / parsingMs);
}

/** An estimate for usual machines: it was 3.3 where all tests took 1.7 times as long as usual. */
const parsingMs = 2;

const parsedLine = JSON.stringify({ id: 1, params: { text: "x".repeat(250) } });

/** The least milliseconds of a few rounds of the same work. */
function measureParsing(): number {
  const rounds = Array.from({ length: 5 }, () => {
    const started = performance.now();
    for (let line = 0; line < 40_000; line += 1) JSON.parse(parsedLine);
    return performance.now() - started;
  });
  return Math.min(...rounds);
}

function runnable(): number {
  if (!existsSync("/proc/loadavg")) return 0;
  const [, , , queue = "0/0"] = readFileSync("/proc/loadavg", "utf8").split(" ");
  return Number(queue.split("/")[0]);
}
