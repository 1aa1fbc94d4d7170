import {
  type Bench,
  type Contestant,
  everyRole,
  makeServerCommand,
  listContestants,
  makeLogPath,
  pick,
  pickOptional,
  type Peer,
  withPeers,
} from "../bench.ts";
import {
  atMost,
  blockRatio,
  compare,
  type Comparison,
  interleave,
  type Measurement,
  median,
  notWorse,
  percentile,
  stretch,
  type Verdict,
} from "../figures.ts";
import { pingAnswerLine, pingBytes, pingLine } from "../messages.ts";

const percents = { p50: 50, p99: 99, "p99.9": 99.9, max: 100 } as const;
const pingsPerRound = 50;
const warmRounds = 4;
const roundsPerBlock = 10;

type Trips = {
  readonly contestant: Contestant;
  readonly rounds: readonly (readonly number[])[];
};

export async function benchRoundTrip(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 40 : 200;
  const contestants = listContestants(bench, everyRole);
  const commands = contestants.map(({ wrap }) =>
    wrap(makeServerCommand("answering"), makeLogPath(bench)),
  );
  const series = await withPeers(bench, commands, async (peers) => {
    for (const peer of peers) await peer.handshake();
    return interleave(peers, rounds + warmRounds, playPings);
  });
  const trips = contestants.map((contestant, index) => ({
    contestant,
    rounds: series[index]?.samples.slice(warmRounds) ?? [],
  }));
  return summarize(trips, rounds * pingsPerRound);
}

async function playPings(peer: Peer, round: number): Promise<readonly number[]> {
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
  const direct = pick(all, "bare").rounds.flat();
  const comparisons = compareTrips(all);
  return {
    caption: `${pings.toLocaleString("en-US")} pings of ${pingBytes} bytes each, one at a time, interleaved.`,
    columns: [...Object.keys(percents), "p50 added", "p99 added"],
    rows: all.map(({ contestant, rounds }) => {
      const trips = rounds.flat();
      const added = [50, 99].map(
        (percent) => percentile(trips, percent) - percentile(direct, percent),
      );
      const values = Object.values(percents).map((percent) => percentile(trips, percent));
      return {
        contestant: contestant.name,
        figures: [...values, ...added].map((value) => ({ value, unit: "µs" })),
      };
    }),
    verdicts: [...judge(all), ...comparisons.map(notWorse)],
    comparisons,
  };
}

function judge(all: readonly Trips[]): readonly Verdict[] {
  const [pipe, meter, tee] = [pick(all, "pipe"), pick(all, "meter"), pickOptional(all, "tee")];
  const verdict = (what: string, [trips, base]: readonly [Trips, Trips], limit: number) => {
    const percent = what.startsWith("p50") ? 50 : 99;
    const figure = (block: Trips["rounds"]) => percentile(block.flat(), percent);
    const ratio = blockRatio([trips.rounds, base.rounds], roundsPerBlock, figure);
    return atMost(what, ratio, limit, "×");
  };
  const gated = pick(all, "gated");
  return [
    verdict("p50 of the Node pipe's", [meter, pipe], 1),
    verdict("p99 of the Node pipe's", [meter, pipe], 1),
    verdict("p50 gated, of the Node pipe's", [gated, pipe], 1.5),
    verdict("p99 gated, of the Node pipe's", [gated, pipe], 2),
    ...(tee === undefined
      ? []
      : [
          stretch(verdict("p50 of the C tee's", [meter, tee], 2)),
          stretch(verdict("p99 of the C tee's", [meter, tee], 2)),
        ]),
  ];
}

function compareTrips(all: readonly Trips[]): readonly Comparison[] {
  const older = pickOptional(all, "older");
  if (older === undefined) return [];
  const medians = ({ rounds }: Trips): readonly number[] => rounds.map(median);
  const newer = medians(pick(all, "meter"));
  return [compare({ what: "round trip", unit: "µs", older: medians(older), newer })];
}
