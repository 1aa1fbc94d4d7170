/** How much longer one small request and its answer take with something in between. */
import type { Bench } from "../bench.ts";
import { compare, notWorse } from "../comparison.ts";
import {
  type Contestant,
  fixture,
  everyRole,
  listContestants,
  pick,
  pickOptional,
} from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Comparison, Measurement, Verdict } from "../measurement.ts";
import { pingAnswerLine, pingBytes, pingLine } from "../messages.ts";
import { type Peer, withPeers } from "../peer.ts";
import { newLog } from "../scratch-log.ts";
import { median, percentile } from "../statistics.ts";
import { atMost, stretch } from "../verdict.ts";

const percents = [50, 99, 99.9, 100] as const;
const percentNames = ["p50", "p99", "p99.9", "max"] as const;
/** Of the Node pipe's, in an open and in a gated lane, and of the C tee's. */
const openRatioMax = { p50: 1, p99: 1 };
const gatedRatioMax = { p50: 1.5, p99: 2 };
const teeRatioMax = { p50: 2, p99: 2 };
const pingsPerRound = 50;
const warmRounds = 4;
/** Enough pings for a 99th percentile: a ratio is the median of those of the single blocks. */
const roundsPerBlock = 10;

/** Microseconds of every ping of one contestant, round by round, without the rounds that warm up. */
type Trips = {
  readonly contestant: Contestant;
  readonly rounds: readonly (readonly number[])[];
};

/** All sessions stay open for the whole run; the rounds alternate between them. */
export async function benchRoundTrip(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 40 : 200;
  const contestants = listContestants(bench, everyRole);
  const commands = contestants.map((one) => one.wrap(fixture("answering"), newLog(bench)));
  const series = await withPeers(bench, commands, async (peers) => {
    for (const peer of peers) await peer.handshake();
    return interleave(peers, rounds + warmRounds, pingRound);
  });
  const trips = contestants.map((contestant, index) => ({
    contestant,
    rounds: series[index]?.samples.slice(warmRounds) ?? [],
  }));
  return summarize(trips, rounds * pingsPerRound);
}

/** Microseconds of each ping of one round. */
async function pingRound(peer: Peer, round: number): Promise<readonly number[]> {
  const trips: number[] = [];
  for (let ping = 1; ping <= pingsPerRound; ping++) {
    const id = round * pingsPerRound + ping;
    const request = Buffer.from(pingLine(id));
    const answer = Buffer.from(pingAnswerLine(id));
    const sentMs = performance.now();
    await peer.send(request);
    await peer.expect(answer);
    trips.push((performance.now() - sentMs) * 1000);
  }
  return trips;
}

function summarize(all: readonly Trips[], pings: number): Measurement {
  const direct = percentiles(pick(all, "bare"));
  const rows = all.map((trips) => ({ name: trips.contestant.name, values: percentiles(trips) }));
  const comparisons = compareTrips(all);
  return {
    load: "round-trip",
    caption: `${pings.toLocaleString("en-US")} pings of ${pingBytes} bytes each, one at a time, interleaved.`,
    columns: [...percentNames, "p50 added", "p99 added"],
    rows: rows.map(({ name, values }) => ({
      contestant: name,
      figures: [
        ...values,
        ...[0, 1].map((at) => (values[at] ?? Number.NaN) - (direct[at] ?? Number.NaN)),
      ].map((value) => ({ value, unit: "µs" })),
    })),
    verdicts: [...judge(all), ...comparisons.map(notWorse)],
    comparisons,
    plot: {
      kind: "percentiles",
      title: "Round trip of one ping",
      unit: "µs",
      percentiles: percentNames,
      rows,
    },
  };
}

function judge(all: readonly Trips[]): readonly Verdict[] {
  const [pipe, meter, tee] = [pick(all, "pipe"), pick(all, "meter"), pickOptional(all, "tee")];
  return [
    ...ratios("of the Node pipe's", meter, pipe, openRatioMax),
    ...ratios("gated, of the Node pipe's", pick(all, "gated"), pipe, gatedRatioMax),
    ...(tee === undefined ? [] : ratios("of the C tee's", meter, tee, teeRatioMax).map(stretch)),
  ];
}

function ratios(
  what: string,
  trips: Trips,
  baseline: Trips,
  limits: { readonly p50: number; readonly p99: number },
): readonly Verdict[] {
  return [
    atMost(`p50 ${what}`, blockRatio(trips, baseline, 50), limits.p50, "×"),
    atMost(`p99 ${what}`, blockRatio(trips, baseline, 99), limits.p99, "×"),
  ];
}

/** The median of the blocks' ratios: what disturbs a block disturbs both. */
function blockRatio(trips: Trips, baseline: Trips, percent: number): number {
  const own = blockPercentiles(trips, percent);
  const other = blockPercentiles(baseline, percent);
  return median(own.map((value, block) => value / (other[block] ?? Number.NaN)));
}

function blockPercentiles({ rounds }: Trips, percent: number): readonly number[] {
  const starts = rounds.map((_, at) => at).filter((at) => at % roundsPerBlock === 0);
  return starts.map((at) => percentile(rounds.slice(at, at + roundsPerBlock).flat(), percent));
}

function compareTrips(all: readonly Trips[]): readonly Comparison[] {
  const older = pickOptional(all, "older");
  if (older === undefined) return [];
  const medians = ({ rounds }: Trips): readonly number[] => rounds.map((round) => median(round));
  return [
    compare({
      what: "round trip",
      unit: "µs",
      older: medians(older),
      newer: medians(pick(all, "meter")),
    }),
  ];
}

function percentiles({ rounds }: Trips): readonly number[] {
  const all = rounds.flat();
  return percents.map((percent) => percentile(all, percent));
}
