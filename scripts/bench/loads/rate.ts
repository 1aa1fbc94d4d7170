/** What a session at a steady, low rate costs: processor and memory; and how soon a call's record can be read. */
import type { Bench } from "../bench.ts";
import { fixture, listContestants, pick, type Role } from "../contestants.ts";
import { LagWatch } from "../lag.ts";
import type { Figure, Measurement, Verdict } from "../measurement.ts";
import { type Memory, withMemory } from "../memory.ts";
import { pacedCalls } from "../pace.ts";
import type { Peer } from "../peer.ts";
import { watchProcessor } from "../procfs.ts";
import { countRecords } from "../records.ts";
import { type Sided, sideBySide } from "../side-by-side.ts";
import { percentile } from "../statistics.ts";
import { atMost, exactly } from "../verdict.ts";

/** There is no bare server: nothing stands there whose processor time could be read. */
const roles: readonly Role[] = ["pipe", "tee", "meter", "gated", "portable", "older"];
/** 100 calls and their 100 answers: 200 messages. */
const callsPerSecond = 100;
const warmSeconds = 2;
const warmCalls = callsPerSecond * warmSeconds;
const cpuPercentMax = 3;
const pipeRatioMax = 1.2;
const residentMbMax = 80;
const lagP99MsMax = 50;
const graceMs = 60_000;

type Steady = {
  /** Of one core. */
  readonly cpuPercent: number;
  readonly memory: Memory;
  /** Of each call after warm-up; empty without a record file. */
  readonly lagsMs: readonly number[];
};

/** One session each, side by side and out of step: a moment of the machine is the same for all. */
export async function benchRate(bench: Bench): Promise<Measurement> {
  const seconds = bench.quick ? 10 : 20;
  const contestants = listContestants(bench, roles);
  const all = await sideBySide(
    bench,
    contestants,
    { server: fixture("answering"), lifetimeMaxMs: (seconds + warmSeconds) * 1000 + graceMs },
    async (peer, log, place) => {
      await Bun.sleep((place * 1000) / callsPerSecond / contestants.length);
      const lag = contestants[place]?.meters === true ? new LagWatch(log) : undefined;
      return steady(peer, seconds, lag);
    },
  );
  return {
    load: "rate",
    caption: `One session each at ${2 * callsPerSecond} messages a second for ${seconds} s, side by side; every answer compared. Lag is the time from an answer to its record in the file.`,
    columns: ["processor", "of the pipe", "memory, highest", "lag p50", "lag p99", "lag max"],
    rows: all.map(({ contestant, result }) => ({
      contestant: contestant.name,
      figures: figures(result, pick(all, "pipe").result),
    })),
    verdicts: await judge(all, callsPerSecond * (seconds + warmSeconds)),
    plot: {
      kind: "bars",
      title: `Processor time at ${2 * callsPerSecond} messages a second, of one core`,
      unit: "%",
      bars: all.map(({ contestant, result }) => ({
        name: contestant.name,
        value: result.cpuPercent,
      })),
    },
  };
}

/** Measures after a warm-up. */
async function steady(peer: Peer, seconds: number, lag: LagWatch | undefined): Promise<Steady> {
  const onRead = (chunk: Uint8Array) => lag?.answered(chunk);
  try {
    await peer.handshake();
    await pacedCalls(peer, { perSecond: callsPerSecond, seconds: warmSeconds }, { onRead });
    const processor = watchProcessor(peer.pid);
    const pace = { perSecond: callsPerSecond, seconds, firstId: warmCalls + 1 };
    const [, memory] = await withMemory(peer.pid, () => pacedCalls(peer, pace, { onRead }));
    const cpuPercent = processor();
    await lag?.settle();
    return { cpuPercent, memory, lagsMs: lag?.lagsMs(warmCalls) ?? [] };
  } finally {
    lag?.close();
  }
}

function figures({ cpuPercent, memory, lagsMs }: Steady, pipe: Steady): readonly Figure[] {
  return [
    { value: cpuPercent, unit: "%" },
    { value: cpuPercent / pipe.cpuPercent, unit: "×" },
    { value: highestMb(memory), unit: "MB" },
    { value: percentile(lagsMs, 50), unit: "ms" },
    { value: percentile(lagsMs, 99), unit: "ms" },
    { value: percentile(lagsMs, 100), unit: "ms" },
  ];
}

async function judge(all: readonly Sided<Steady>[], calls: number): Promise<readonly Verdict[]> {
  const [{ log, result }, pipe] = [pick(all, "meter"), pick(all, "pipe").result];
  const records = await countRecords(log);
  const ratio = result.cpuPercent / pipe.cpuPercent;
  return [
    atMost("processor", result.cpuPercent, cpuPercentMax, "%"),
    atMost("processor, of the Node pipe's", ratio, pipeRatioMax, "×"),
    atMost("memory", highestMb(result.memory), residentMbMax, "MB"),
    atMost("lag p99", percentile(result.lagsMs, 99), lagP99MsMax, "ms"),
    exactly("calls recorded exactly once", records.once, calls),
  ];
}

function highestMb({ resident }: Memory): number {
  return Math.max(...resident.map(({ y }) => y));
}
