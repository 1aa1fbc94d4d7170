/** How much longer one small request and its answer take when something stands between. */
import type { Bench } from "../bench.ts";
import { comparedOf, type Contestant, contestantsOf, fixture } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement, Verdict } from "../measurement.ts";
import { PING_BYTES, pingAnswerLine, pingLine } from "../messages.ts";
import { type Peer, withPeers } from "../peer.ts";
import { newLog } from "../scratch-log.ts";
import { median, percentile } from "../statistics.ts";
import { atMost, either } from "../verdict.ts";

const P50_ADDED_MAX_US = 50;
const P99_ADDED_MAX_US = 300;
const PINGS_PER_ROUND = 50;
const WARM_ROUNDS = 4;

interface Trips {
  readonly contestant: string;
  readonly p50: number;
  readonly p99: number;
}

/** All sessions stay open for the whole run; the rounds alternate between them. */
export async function benchRoundTrip(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 20 : 60;
  const contestants = contestantsOf(bench);
  const commands = contestants.map((one) => one.wrap(fixture("answering"), newLog(bench)));
  const series = await withPeers(bench, commands, async (peers) => {
    for (const peer of peers) await peer.handshake();
    return interleave(peers, rounds + WARM_ROUNDS, pingRound);
  });
  const trips = series.map(({ samples }, index) => tripsOf(contestants[index], samples));
  return measurementOf(trips, rounds * PINGS_PER_ROUND);
}

/** Microseconds of each ping of one round. */
async function pingRound(peer: Peer, round: number): Promise<readonly number[]> {
  const trips: number[] = [];
  for (let ping = 1; ping <= PINGS_PER_ROUND; ping++) {
    const id = round * PINGS_PER_ROUND + ping;
    const request = Buffer.from(pingLine(id));
    const answer = Buffer.from(pingAnswerLine(id));
    const sentMs = performance.now();
    await peer.send(request);
    await peer.expect(answer);
    trips.push((performance.now() - sentMs) * 1000);
  }
  return trips;
}

/** The first rounds only warm up. */
function tripsOf(
  contestant: Contestant | undefined,
  rounds: readonly (readonly number[])[],
): Trips {
  const trips = rounds.slice(WARM_ROUNDS).flat();
  return { contestant: contestant?.name ?? "", p50: median(trips), p99: percentile(trips, 99) };
}

function measurementOf(trips: readonly Trips[], pings: number): Measurement {
  const compared = comparedOf(trips);
  const { direct } = compared;
  return {
    load: "round-trip",
    caption: `${pings.toLocaleString("en-US")} pings of ${PING_BYTES} bytes each, one at a time, interleaved.`,
    columns: ["p50", "p99", "p50 added", "p99 added"],
    rows: trips.map(({ contestant, p50, p99 }) => ({
      contestant,
      figures: [
        { value: p50, unit: "µs" },
        { value: p99, unit: "µs" },
        { value: p50 - direct.p50, unit: "µs" },
        { value: p99 - direct.p99, unit: "µs" },
      ],
    })),
    verdicts: [goal("p50", compared, P50_ADDED_MAX_US), goal("p99", compared, P99_ADDED_MAX_US)],
  };
}

function goal(
  name: "p50" | "p99",
  { direct, pipe, meter }: ReturnType<typeof comparedOf<Trips>>,
  maxUs: number,
): Verdict {
  return either(
    atMost(`${name} added`, meter[name] - direct[name], maxUs, "µs"),
    atMost(`no slower than the Node pipe: ${name}`, meter[name], pipe[name], "µs"),
  );
}
