/** Whether memory, descriptors and records stay as they should over minutes of steady calls. */
import type { Bench } from "../bench.ts";
import { fixture, listContestants, pick, type Role } from "../contestants.ts";
import { Footprint } from "../footprint.ts";
import type { Figure, Measurement, Verdict } from "../measurement.ts";
import { pacedCalls } from "../pace.ts";
import type { Peer } from "../peer.ts";
import { isAlive, watchProcessor } from "../procfs.ts";
import { countRecords } from "../records.ts";
import { type Sided, sideBySide } from "../side-by-side.ts";
import { exactly, under } from "../verdict.ts";

const roles: readonly Role[] = ["bare", "pipe", "tee", "meter", "older"];
/** 250 calls and their 250 answers: 500 messages. */
const callsPerSecond = 250;
const mbPerMinuteMax = 0.2;
/** Shorter runs mostly measure how a heap settles. */
const slopeMinutesMin = 10;
const graceMs = 60_000;

type Soaked = {
  readonly calls: number;
  /** Of one core, over the whole time. */
  readonly cpuPercent: number;
  readonly footprint: Footprint;
  /** Of the wrapper and of its server. */
  readonly pids: readonly number[];
};

/** The contestants run side by side, each at the full rate: thirty minutes cannot be interleaved. */
export async function benchSoak(bench: Bench): Promise<Measurement> {
  const minutes = bench.quick ? 1 : bench.minutes;
  const all = await sideBySide(
    bench,
    listContestants(bench, roles),
    { server: fixture("answering"), lifetimeMaxMs: minutes * 60_000 + graceMs },
    (peer) => soak(peer, minutes),
  );
  return {
    load: "soak",
    caption: `${minutes} min of ${2 * callsPerSecond} messages a second each, side by side; every answer compared; sampled each second, slope and counts after warm-up.`,
    columns: ["calls", "processor", "memory slope", "memory, last", "descriptors", "threads"],
    rows: all.map(({ contestant, result }) => ({
      contestant: contestant.name,
      figures: figures(result),
    })),
    verdicts: await judge(pick(all, "meter"), minutes),
    plot: {
      kind: "lines",
      title: `Resident memory at ${2 * callsPerSecond} messages a second`,
      unit: "MB",
      time: "minutes",
      lines: all.map(({ contestant, result }) => ({
        name: contestant.name,
        points: result.footprint.resident,
      })),
    },
  };
}

async function soak(peer: Peer, minutes: number): Promise<Soaked> {
  const serverPid = await peer.handshake();
  const footprint = new Footprint(peer.pid, minutes);
  const cpuPercent = watchProcessor(peer.pid);
  const calls = await pacedCalls(
    peer,
    { perSecond: callsPerSecond, seconds: Math.round(minutes * 60) },
    { everySecond: () => footprint.sample() },
  );
  return { calls, cpuPercent: cpuPercent(), footprint, pids: [peer.pid, serverPid] };
}

function figures({ calls, cpuPercent, footprint }: Soaked): readonly Figure[] {
  return [
    { value: calls, unit: "" },
    { value: cpuPercent, unit: "%" },
    { value: footprint.mbPerMinute, unit: "MB/min" },
    { value: footprint.resident.at(-1)?.y ?? Number.NaN, unit: "MB" },
    { value: Math.max(...footprint.descriptors), unit: "" },
    { value: Math.max(...footprint.threads), unit: "" },
  ];
}

async function judge({ log, result }: Sided<Soaked>, minutes: number): Promise<readonly Verdict[]> {
  const { calls, footprint, pids } = result;
  const records = await countRecords(log);
  return [
    ...(minutes < slopeMinutesMin
      ? []
      : [under("memory slope", footprint.mbPerMinute, mbPerMinuteMax, "MB/min")]),
    exactly("different descriptor counts", footprint.descriptors.size, 1),
    exactly("calls recorded exactly once", records.once, calls),
    exactly("torn lines", records.torn, 0),
    exactly("processes left after the end", pids.filter(isAlive).length, 0),
  ];
}
