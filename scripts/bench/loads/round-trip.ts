/** How much longer one small request and its answer take with something in between. */
import type { Bench } from "../bench.ts";
import { compare, notWorse } from "../comparison.ts";
import { fixture, listContestants, pickCompared } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Comparison, Measurement, Verdict } from "../measurement.ts";
import { pingAnswerLine, pingBytes, pingLine } from "../messages.ts";
import { type Peer, withPeers } from "../peer.ts";
import { newLog } from "../scratch-log.ts";
import { median, percentile } from "../statistics.ts";
import { atMost, either } from "../verdict.ts";

const p50AddedMaxUs = 50;
const p99AddedMaxUs = 300;
const pingsPerRound = 50;
const warmRounds = 4;

/** Microseconds of every ping of one contestant, round by round, without the rounds that warm up. */
type Trips = { readonly contestant: string; readonly rounds: readonly (readonly number[])[] };

/** All sessions stay open for the whole run; the rounds alternate between them. */
export async function benchRoundTrip(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 20 : 60;
  const contestants = listContestants(bench);
  const commands = contestants.map((one) => one.wrap(fixture("answering"), newLog(bench)));
  const series = await withPeers(bench, commands, async (peers) => {
    for (const peer of peers) await peer.handshake();
    return interleave(peers, rounds + warmRounds, pingRound);
  });
  const trips = series.map(({ samples }, index) => ({
    contestant: contestants[index]?.name ?? "",
    rounds: samples.slice(warmRounds),
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

function summarize(trips: readonly Trips[], pings: number): Measurement {
  const { direct, pipe, meter, older } = pickCompared(trips);
  const comparisons = older === undefined ? [] : compareTrips(older, meter);
  const judge = (name: string, percent: number, addedMaxUs: number): Verdict => {
    const us = percentUs(meter, percent);
    return either(
      atMost(`${name} added`, us - percentUs(direct, percent), addedMaxUs, "µs"),
      atMost(`no slower than the Node pipe: ${name}`, us, percentUs(pipe, percent), "µs"),
    );
  };
  return {
    load: "round-trip",
    caption: `${pings.toLocaleString("en-US")} pings of ${pingBytes} bytes each, one at a time, interleaved.`,
    columns: ["p50", "p99", "p50 added", "p99 added"],
    rows: trips.map((one) => ({
      contestant: one.contestant,
      figures: [
        { value: percentUs(one, 50), unit: "µs" },
        { value: percentUs(one, 99), unit: "µs" },
        { value: percentUs(one, 50) - percentUs(direct, 50), unit: "µs" },
        { value: percentUs(one, 99) - percentUs(direct, 99), unit: "µs" },
      ],
    })),
    verdicts: [
      judge("p50", 50, p50AddedMaxUs),
      judge("p99", 99, p99AddedMaxUs),
      ...comparisons.map(notWorse),
    ],
    comparisons,
  };
}

function compareTrips(older: Trips, newer: Trips): readonly Comparison[] {
  const medians = ({ rounds }: Trips): readonly number[] => rounds.map((round) => median(round));
  return [
    compare({ what: "round trip", unit: "µs", older: medians(older), newer: medians(newer) }),
  ];
}

function percentUs({ rounds }: Trips, percent: number): number {
  const all = rounds.flat();
  return percent === 50 ? median(all) : percentile(all, percent);
}
