import { RedisServer } from "../../../test/support/redis.ts";
import { type Bench, contestantNames, makeServerCommand, type Peer, withPeers } from "../bench.ts";
import {
  atMost,
  blockRatio,
  interleave,
  type Measurement,
  median,
  percentile,
} from "../figures.ts";
import { callAnswerLine, callLine } from "../messages.ts";

const callsPerRound = 50;
const callsAtOnce = 32;
const warmRounds = 4;
/** Enough calls for a 95th percentile. */
const roundsPerBlock = 10;
/** A call waits for two answers of a Redis on this machine. */
const addedMaxMicros = 2_000;
const percents = [50, 95, 99, 100] as const;

type Round = { readonly trips: readonly number[]; readonly burstMicros: number };

type Played = { readonly name: string; readonly rounds: readonly Round[] };

export async function benchCounters(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 20 : 200;
  await using redis = await RedisServer.start();
  const metered = [bench.meter, "--log", "off", "--summary", "off", "--server", "bench"];
  const contestants = [
    [contestantNames.bare, []],
    ["no budget", [...metered, "--"]],
    ["a session budget", [...metered, "--budget", "1000M/session", "--"]],
    ["a day budget in SQLite", [...metered, "--budget", "1000M/day", "--"]],
    ["a day budget in Redis", [...metered, "--budget", "1000M/day", "--counters", redis.url, "--"]],
  ] as const;
  const commands = contestants.map(([, wrapper]) => [
    ...wrapper,
    ...makeServerCommand("answering"),
  ]);
  const series = await withPeers(bench, commands, async (peers) => {
    for (const peer of peers) await peer.handshake();
    return interleave(peers, rounds + warmRounds, playRound);
  });
  const played = contestants.map(([name], index) => ({
    name,
    rounds: series[index]?.samples.slice(warmRounds) ?? [],
  }));
  return summarize(played, rounds * callsPerRound);
}

async function playRound(peer: Peer, round: number): Promise<Round> {
  const first = round * (callsPerRound + callsAtOnce) + 1;
  const trips: number[] = [];
  for (let id = first; id < first + callsPerRound; id += 1) trips.push(await timeCalls(peer, [id]));
  const burst = Array.from({ length: callsAtOnce }, (_, at) => first + callsPerRound + at);
  return { trips, burstMicros: await timeCalls(peer, burst) };
}

async function timeCalls(peer: Peer, ids: readonly number[]): Promise<number> {
  const requests = Buffer.from(ids.map((id) => callLine(id)).join(""));
  const answers = Buffer.from(ids.map((id) => callAnswerLine(id)).join(""));
  const sentMs = performance.now();
  await peer.send(requests);
  await peer.expect(answers);
  return (performance.now() - sentMs) * 1000;
}

function listTrips(rounds: readonly Round[]): readonly number[] {
  return rounds.flatMap(({ trips }) => trips);
}

function summarize(all: readonly Played[], calls: number): Measurement {
  const [bare] = all;
  if (!bare) throw new Error("There are no contestants");
  const middle = (name: string): number =>
    median(listTrips(all.find((played) => played.name === name)?.rounds ?? []));
  const added = middle("a day budget in Redis") - middle("a session budget");
  return {
    caption: `${calls.toLocaleString("en-US")} calls each, one at a time and in turn, and ${callsAtOnce} at once between them; every answer compared. A ratio is the median of ${roundsPerBlock * callsPerRound} calls at a time.`,
    columns: ["p50", "p95", "p99", "max", "p50 of bare", "p95 of bare", `${callsAtOnce} at once`],
    rows: all.map((played) => ({
      contestant: played.name,
      figures: [
        ...percents.map((percent) => {
          const value = percentile(listTrips(played.rounds), percent);
          return { value, unit: "µs" } as const;
        }),
        ...[50, 95].map((percent) => {
          const figure = (block: readonly Round[]) => percentile(listTrips(block), percent);
          const value = blockRatio([played.rounds, bare.rounds], roundsPerBlock, figure);
          return { value, unit: "×" } as const;
        }),
        { value: median(played.rounds.map(({ burstMicros }) => burstMicros)), unit: "µs" },
      ],
    })),
    verdicts: [atMost("p50 added by Redis", added, addedMaxMicros, "µs")],
  };
}
