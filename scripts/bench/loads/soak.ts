/** Whether memory, descriptors and records stay as they should over minutes of steady calls. */
import type { Bench } from "../bench.ts";
import { bare, pickCompared, fixture, metered, nodePipe } from "../contestants.ts";
import type { Measurement } from "../measurement.ts";
import { pacedCalls } from "../pace.ts";
import { type Peer, withPeers } from "../peer.ts";
import { descriptorCount, residentMb } from "../procfs.ts";
import { countRecords } from "../records.ts";
import { newLog } from "../scratch-log.ts";
import { type Point, slope } from "../statistics.ts";
import { exactly, under } from "../verdict.ts";

/** 250 calls and their 250 answers: 500 messages. */
const callsPerSecond = 250;
const mbPerMinuteMax = 0.2;
const warmUpShare = 1 / 3;
const warmUpMinutesMax = 5;
const graceMs = 60_000;

type Soaked = {
  readonly calls: number;
  /** Resident megabytes over minutes, after warm-up. */
  readonly resident: readonly Point[];
  /** The open descriptors that were counted, each number once. */
  readonly descriptors: ReadonlySet<number>;
};

/** The contestants run side by side, each at the full rate: thirty minutes cannot be interleaved. */
export async function benchSoak(bench: Bench): Promise<Measurement> {
  const minutes = bench.quick ? 1 : bench.minutes;
  const log = newLog(bench);
  const contestants = [bare, nodePipe, metered(bench)];
  const soaked = await withPeers(
    bench,
    contestants.map((contestant) => contestant.wrap(fixture("answering"), log)),
    (peers) => Promise.all(peers.map((peer) => soak(peer, minutes))),
    minutes * 60_000 + graceMs,
  );
  const { meter } = pickCompared(soaked);
  const records = await countRecords(log);
  return {
    load: "soak",
    caption: `${minutes} min of ${2 * callsPerSecond} messages a second each, side by side; every answer compared; sampled each second after warm-up.`,
    columns: ["calls", "memory slope", "memory, last", "descriptors, fewest", "descriptors, most"],
    rows: soaked.map(({ calls, resident, descriptors }, index) => ({
      contestant: contestants[index]?.name ?? "",
      figures: [
        { value: calls, unit: "" },
        { value: slope(resident), unit: "MB/min" },
        { value: resident.at(-1)?.y ?? Number.NaN, unit: "MB" },
        { value: Math.min(...descriptors), unit: "" },
        { value: Math.max(...descriptors), unit: "" },
      ],
    })),
    verdicts: [
      under("memory slope", slope(meter.resident), mbPerMinuteMax, "MB/min"),
      exactly("different descriptor counts", meter.descriptors.size, 1),
      exactly("call records", records.calls, meter.calls),
      exactly("torn lines", records.torn, 0),
    ],
  };
}

async function soak(peer: Peer, minutes: number): Promise<Soaked> {
  const warmUpMinutes = Math.min(minutes * warmUpShare, warmUpMinutesMax);
  const resident: Point[] = [];
  const descriptors = new Set<number>();
  await peer.handshake();
  const startedMs = performance.now();
  const calls = await pacedCalls(peer, callsPerSecond, Math.round(minutes * 60), () => {
    const x = (performance.now() - startedMs) / 60_000;
    if (x < warmUpMinutes) return;
    resident.push({ x, y: residentMb(peer.pid) ?? Number.NaN });
    descriptors.add(descriptorCount(peer.pid) ?? Number.NaN);
  });
  return { calls, resident, descriptors };
}
