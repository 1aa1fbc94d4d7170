/** How fast answers of a megabyte pass and are counted, how many exactly, and whether memory grows with the traffic. */
import type { Bench } from "../bench.ts";
import { compare } from "../comparison.ts";
import {
  type Contestant,
  fixture,
  listContestants,
  pick,
  pickOptional,
  type Role,
} from "../contestants.ts";
import { interleave, type Series } from "../interleave.ts";
import type { Comparison, Figure, Measurement, Verdict } from "../measurement.ts";
import { callLine, joinLines } from "../messages.ts";
import { type Passage, passBurst } from "../passage.ts";
import { median } from "../statistics.ts";
import { atLeast, atMost, exactly } from "../verdict.ts";

const roles: readonly Role[] = ["bare", "pipe", "tee", "meter", "gated", "portable", "older"];
const answerBytes = 1_000_000;
/** As many as the spool takes: they pass at the speed of the pipes. */
const burstCount = 60;
/** The longer run shows whether memory depends on the traffic. */
const shortCount = 300;
const longCount = 3000;
const quickLongCount = 600;
const passedMbMin = 400;
const countedMbMin = 40;
const peakMbMax = 150;
const growthMax = 1.15;
const lifetimeMaxMs = 600_000;

type Bulks = {
  readonly contestant: Contestant;
  readonly burst: readonly Passage[];
  readonly short: readonly Passage[];
  readonly long: readonly Passage[];
};

type Seconds = "passedSeconds" | "countedSeconds";

export async function benchBulk(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 3;
  const count = bench.quick ? quickLongCount : longCount;
  const contestants = listContestants(bench, roles);
  const burst = await passAll(bench, contestants, burstCount, rounds);
  const short = await passAll(bench, contestants, shortCount, rounds);
  const long = await passAll(bench, contestants, count, 1);
  const all = contestants.map((contestant, at) => ({
    contestant,
    burst: burst[at]?.samples ?? [],
    short: short[at]?.samples ?? [],
    long: long[at]?.samples ?? [],
  }));
  return summarize(all, count, rounds);
}

/** All calls are sent at once. */
function passAll(
  bench: Bench,
  contestants: readonly Contestant[],
  count: number,
  rounds: number,
): Promise<readonly Series<Contestant, Passage>[]> {
  const requests = joinLines(callLine, 1, count + 1);
  const burst = {
    server: fixture("bulky", answerBytes),
    calls: count,
    exchange: (peer) => Promise.all([peer.send(requests), peer.drain(count * answerBytes)]),
    lifetimeMaxMs,
  } satisfies Parameters<typeof passBurst>[2];
  return interleave(contestants, rounds, (contestant) => passBurst(bench, contestant, burst));
}

function summarize(all: readonly Bulks[], count: number, rounds: number): Measurement {
  return {
    load: "bulk",
    caption: `Answers of 1 MB to calls sent at once: ${rounds} × ${burstCount} and ${rounds} × ${shortCount} of them, interleaved, and ${count} once; medians, highest memory.`,
    columns: [
      `passing ${burstCount}`,
      `passing ${shortCount}`,
      `passing ${count}`,
      `counted ${count}`,
      `lag after ${count}`,
      `peak at ${shortCount}`,
      `peak at ${count}`,
      "not exact",
    ],
    rows: all.map((bulks) => ({
      contestant: bulks.contestant.name,
      figures: figures(bulks, count),
    })),
    verdicts: judge(pick(all, "meter"), pick(all, "gated"), count),
    comparisons: compareBulks(all),
    plot: {
      kind: "lines",
      title: `Resident memory during and after ${count} answers of 1 MB`,
      unit: "MB",
      time: "seconds",
      lines: all.map(({ contestant, long }) => ({
        name: contestant.name,
        points: long.at(-1)?.resident ?? [],
      })),
    },
  };
}

function figures({ burst, short, long }: Bulks, count: number): readonly Figure[] {
  return [
    { value: speed(burst, "passedSeconds", burstCount), unit: "MB/s" },
    { value: speed(short, "passedSeconds", shortCount), unit: "MB/s" },
    { value: speed(long, "passedSeconds", count), unit: "MB/s" },
    { value: speed(long, "countedSeconds", count), unit: "MB/s" },
    { value: median(long.map(({ lagSeconds }) => lagSeconds)), unit: "s" },
    { value: peakMb(short), unit: "MB" },
    { value: peakMb(long), unit: "MB" },
    { value: inexact(short, shortCount) + inexact(long, count), unit: "" },
  ];
}

function judge(meter: Bulks, gated: Bulks, count: number): readonly Verdict[] {
  const peaks = [meter, gated].flatMap(({ short, long }) => [peakMb(short), peakMb(long)]);
  const growth = peakMb(meter.long) / peakMb(meter.short);
  return [
    atLeast(
      `passing ${burstCount}`,
      speed(meter.burst, "passedSeconds", burstCount),
      passedMbMin,
      "MB/s",
    ),
    atLeast("counted", speed(meter.long, "countedSeconds", count), countedMbMin, "MB/s"),
    atMost("peak memory, open and gated", Math.max(...peaks), peakMbMax, "MB"),
    atMost("peak, longer / shorter", growth, growthMax, "×"),
    ...[meter, gated].map((bulks) =>
      exactly(
        `${bulks.contestant.name}: answers not counted exactly`,
        inexact(bulks.short, shortCount) + inexact(bulks.long, count),
        0,
      ),
    ),
  ];
}

function compareBulks(all: readonly Bulks[]): readonly Comparison[] {
  const [older, newer] = [pickOptional(all, "older"), pick(all, "meter")];
  if (older === undefined) return [];
  const fields: readonly (readonly [string, Seconds])[] = [
    ["passing", "passedSeconds"],
    ["counted", "countedSeconds"],
  ];
  return fields.map(([what, field]) =>
    compare({
      what: `${shortCount} answers, ${what}`,
      unit: "s",
      older: older.short.map((passage) => passage[field]),
      newer: newer.short.map((passage) => passage[field]),
    }),
  );
}

/** Megabytes a second in the median of the rounds. */
function speed(passages: readonly Passage[], field: Seconds, count: number): number {
  return (count * answerBytes) / 1e6 / median(passages.map((passage) => passage[field]));
}

function peakMb(passages: readonly Passage[]): number {
  return Math.max(...passages.map((passage) => passage.peakMb));
}

/** The most calls of one run that have no record of their own, or one with a part that was priced by its length. */
function inexact(passages: readonly Passage[], count: number): number {
  const exact = passages.map(({ records }) =>
    records === undefined ? Number.NaN : records.once - records.truncated,
  );
  return count - Math.min(...exact);
}
