/** How fast answers of a megabyte pass, how many are counted exactly, and whether memory grows with the traffic. */
import type { Bench } from "../bench.ts";
import { type Contestant, fixture, listContestants, pickCompared } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Figure, Measurement } from "../measurement.ts";
import { callLine, joinLines } from "../messages.ts";
import { type Peer, withPeer } from "../peer.ts";
import { peakResidentMb } from "../procfs.ts";
import { countRecords } from "../records.ts";
import { dropLog, newLog } from "../scratch-log.ts";
import { median } from "../statistics.ts";
import { atMost, exactly } from "../verdict.ts";

const answerBytes = 1_000_000;
/** The longer of the two runs shows whether memory depends on the traffic. */
const shortCount = 300;
const longCount = 3000;
const quickLongCount = 1000;
const peakMbMax = 150;
const growthMax = 1.15;
const lifetimeMs = 600_000;

type Run = {
  readonly seconds: number;
  readonly peakMb: number;
  /** Calls in the records that were not counted exactly; NaN without a record file. */
  readonly inexact: number;
};

type Bulk = { readonly contestant: Contestant; readonly short: Run; readonly long: Run };

export async function benchBulk(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 3;
  const count = bench.quick ? quickLongCount : longCount;
  const series = await interleave(listContestants(bench), rounds, async (contestant) => ({
    short: await pass(bench, contestant, shortCount),
    long: await pass(bench, contestant, count),
  }));
  const all = series.map(({ contestant, samples }) => ({
    contestant,
    short: worst(samples.map(({ short }) => short)),
    long: worst(samples.map(({ long }) => long)),
  }));
  return summarize(all, count, rounds);
}

/** All calls are sent at once; from the first of them to the last byte of the last answer. */
async function pass(bench: Bench, contestant: Contestant, count: number): Promise<Run> {
  const log = newLog(bench);
  const command = contestant.wrap(fixture("bulky", answerBytes), log);
  const requests = joinLines(callLine, 1, count + 1);
  const work = async (peer: Peer) => {
    const startedMs = performance.now();
    await Promise.all([peer.send(requests), peer.drain(count * answerBytes)]);
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, peakMb: peakResidentMb(peer.pid) ?? Number.NaN };
  };
  const passed = await withPeer(bench, command, work, lifetimeMs);
  const records = contestant.meters ? await countRecords(log) : undefined;
  dropLog(log);
  const exact = (records?.calls ?? Number.NaN) - (records?.truncated ?? Number.NaN);
  return { ...passed, inexact: count - exact };
}

/** The median time; the highest memory and the most calls that were not exact. */
function worst(runs: readonly Run[]): Run {
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
    inexact: Math.max(...runs.map(({ inexact }) => inexact)),
  };
}

function summarize(all: readonly Bulk[], count: number, rounds: number): Measurement {
  const { meter } = pickCompared(all);
  return {
    load: "bulk",
    caption: `${shortCount} and ${count} answers of 1 MB to calls sent at once, ${rounds} rounds each, interleaved; median speed of the longer run, highest memory.`,
    columns: ["speed", `peak at ${shortCount}`, `peak at ${count}`, "not exact"],
    rows: all.map(({ contestant, short, long }) => ({
      contestant: contestant.name,
      figures: figures(short, long, count),
    })),
    verdicts: [
      atMost("peak memory", Math.max(meter.short.peakMb, meter.long.peakMb), peakMbMax, "MB"),
      atMost("peak, longer / shorter", meter.long.peakMb / meter.short.peakMb, growthMax, "×"),
      exactly("answers not counted exactly", meter.short.inexact + meter.long.inexact, 0),
    ],
  };
}

function figures(short: Run, long: Run, count: number): readonly Figure[] {
  return [
    { value: (count * answerBytes) / 1e6 / long.seconds, unit: "MB/s" },
    { value: short.peakMb, unit: "MB" },
    { value: long.peakMb, unit: "MB" },
    { value: long.inexact, unit: "" },
  ];
}
