/** How long a call takes whose counter is in this process, in a file of the machine, or in a Redis. */
import type { Bench } from "../bench.ts";
import { fixture } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { callAnswerLine, callLine } from "../messages.ts";
import { type Peer, withPeers } from "../peer.ts";
import { RedisServer } from "../../../test/support/redis.ts";
import { median, percentile } from "../statistics.ts";
import { atMost } from "../verdict.ts";

const callsPerRound = 50;
const warmRounds = 4;
/** Two answers of a Redis on this machine are waited for. */
const addedMaxMicros = 2_000;
const percents = [50, 99, 100] as const;

export async function benchCounters(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 20 : 200;
  await using redis = await RedisServer.start();
  const contestants = [
    ["a session budget", ["--budget", "1000M/session"]],
    ["a day budget in SQLite", ["--budget", "1000M/day"]],
    ["a day budget in Redis", ["--budget", "1000M/day", "--counters", redis.url]],
  ] as const;
  const fixed = ["--log", "off", "--summary", "off", "--server", "bench"];
  const commands = contestants.map(([, flags]) => [
    bench.meter,
    ...fixed,
    ...flags,
    "--",
    ...fixture("answering"),
  ]);
  const series = await withPeers(bench, commands, async (peers) => {
    for (const peer of peers) await peer.handshake();
    return interleave(peers, rounds + warmRounds, callRound);
  });
  const trips = series.map(({ samples }) => samples.slice(warmRounds).flat());
  return summarize(
    contestants.map(([name], index) => ({ name, micros: trips[index] ?? [] })),
    rounds * callsPerRound,
  );
}

/** Microseconds of each call of one round. */
async function callRound(peer: Peer, round: number): Promise<readonly number[]> {
  const trips: number[] = [];
  for (let call = 1; call <= callsPerRound; call += 1) {
    const id = round * callsPerRound + call;
    const request = Buffer.from(callLine(id));
    const answer = Buffer.from(callAnswerLine(id));
    const sentMs = performance.now();
    await peer.send(request);
    await peer.expect(answer);
    trips.push((performance.now() - sentMs) * 1000);
  }
  return trips;
}

type Trips = { readonly name: string; readonly micros: readonly number[] };

function summarize(all: readonly Trips[], calls: number): Measurement {
  const base = median(all[0]?.micros ?? []);
  const redis = median(all.at(-1)?.micros ?? []);
  return {
    load: "counters",
    caption: `${calls.toLocaleString("en-US")} calls each, one at a time, interleaved; every answer compared.`,
    columns: ["p50", "p99", "max", "p50 added"],
    rows: all.map(({ name, micros }) => ({
      contestant: name,
      figures: [
        ...percents.map((percent) => percentile(micros, percent)),
        median(micros) - base,
      ].map((value) => ({ value, unit: "µs" })),
    })),
    verdicts: [atMost("p50 added by Redis", redis - base, addedMaxMicros, "µs")],
  };
}
