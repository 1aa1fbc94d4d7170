/** `soak --bulk`: whether memory, descriptors and records stay as they should over minutes of large answers. */
import { basename } from "node:path";
import type { Bench } from "../bench.ts";
import { fixture, listContestants, pick, type Role } from "../contestants.ts";
import { Footprint } from "../footprint.ts";
import type { Figure, Measurement, Verdict } from "../measurement.ts";
import { callLine, joinLines } from "../messages.ts";
import type { Peer } from "../peer.ts";
import { findProcesses } from "../procfs.ts";
import { countRecords } from "../records.ts";
import { type Sided, sideBySide } from "../side-by-side.ts";
import { atMost, exactly } from "../verdict.ts";
import { watchCalls } from "../watch-calls.ts";

const roles: readonly Role[] = ["meter", "older"];
const answerBytes = 1_000_000;
/** Calls that are sent at once; when all are answered, the next follow. */
const callsAtOnce = 8;
const peakMbMax = 150;
const growthMax = 1.1;
const sampleEveryMs = 1_000;
const watchEveryMs = 20;
const graceMs = 120_000;

type Soaked = {
  readonly calls: number;
  readonly passedSeconds: number;
  /** From the last answer read to the last record; NaN when records are missing. */
  readonly lagSeconds: number;
  readonly footprint: Footprint;
};

export async function benchBulkSoak(bench: Bench): Promise<Measurement> {
  const { minutes } = bench;
  const marker = `soak-${basename(bench.scratch)}`;
  const all = await sideBySide(
    bench,
    listContestants(bench, roles),
    {
      server: [...fixture("bulky", answerBytes), marker],
      lifetimeMaxMs: minutes * 60_000 + graceMs,
    },
    (peer, log) => soak(peer, log, minutes),
  );
  return {
    load: "bulk-soak",
    caption: `${minutes} min of answers of 1 MB to ${callsAtOnce} calls at once, as fast as they pass; sampled each second, highest and counts after warm-up.`,
    columns: ["answers", "passing", "lag", "memory, highest", "growth", "descriptors", "threads"],
    rows: all.map(({ contestant, result }) => ({
      contestant: contestant.name,
      figures: figures(result),
    })),
    verdicts: await judge(pick(all, "meter"), marker),
    plot: {
      kind: "lines",
      title: "Resident memory during answers of 1 MB",
      unit: "MB",
      time: "minutes",
      lines: all.map(({ contestant, result }) => ({
        name: contestant.name,
        points: result.footprint.resident,
      })),
    },
  };
}

async function soak(peer: Peer, log: string, minutes: number): Promise<Soaked> {
  const footprint = new Footprint(peer.pid, minutes);
  const timer = setInterval(() => footprint.sample(), sampleEveryMs);
  try {
    const startedMs = performance.now();
    const untilMs = startedMs + minutes * 60_000;
    let calls = 0;
    while (performance.now() < untilMs) {
      const requests = joinLines(callLine, calls + 1, calls + callsAtOnce + 1);
      await Promise.all([peer.send(requests), peer.drain(callsAtOnce * answerBytes)]);
      calls += callsAtOnce;
    }
    const passedMs = performance.now();
    const countedMs = await watchCalls(log, calls, watchEveryMs);
    return {
      calls,
      passedSeconds: (passedMs - startedMs) / 1000,
      lagSeconds: Math.max(0, countedMs - passedMs) / 1000,
      footprint,
    };
  } finally {
    clearInterval(timer);
  }
}

function figures({ calls, passedSeconds, lagSeconds, footprint }: Soaked): readonly Figure[] {
  return [
    { value: calls, unit: "" },
    { value: (calls * answerBytes) / 1e6 / passedSeconds, unit: "MB/s" },
    { value: lagSeconds, unit: "s" },
    { value: footprint.highestMb, unit: "MB" },
    { value: footprint.growth, unit: "×" },
    { value: Math.max(...footprint.descriptors), unit: "" },
    { value: Math.max(...footprint.threads), unit: "" },
  ];
}

async function judge({ log, result }: Sided<Soaked>, marker: string): Promise<readonly Verdict[]> {
  const { calls, footprint } = result;
  const records = await countRecords(log);
  return [
    atMost("memory", footprint.highestMb, peakMbMax, "MB"),
    atMost("memory, last third / first third", footprint.growth, growthMax, "×"),
    exactly("different descriptor counts", footprint.descriptors.size, 1),
    exactly("calls recorded exactly once", records.once, calls),
    exactly("answers not counted exactly", records.truncated, 0),
    exactly("torn lines", records.torn, 0),
    exactly("processes left after the end", findProcesses(marker).length, 0),
  ];
}
