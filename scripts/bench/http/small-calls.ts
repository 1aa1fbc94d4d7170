import { interleave, sum } from "../figures.ts";
import { cpuSeconds } from "../processes.ts";
import type { Endpoint } from "./endpoints.ts";
import type { HttpSession } from "./http-session.ts";

/** The compiler of the runtime is done by then: `serve` compiles its last functions between 8,000 and 12,000 calls. */
const warmCalls = 10_000;

export type HttpContestant = { readonly endpoint: Endpoint; readonly session: HttpSession };

export type SmallCalls = {
  readonly trips: readonly number[];
  readonly bareTrips: readonly number[];
  readonly cpuMicros: number;
};

export async function measureSmallCalls(
  contestants: readonly HttpContestant[],
  rounds: number,
): Promise<ReadonlyMap<HttpContestant, SmallCalls>> {
  const all = new Map<HttpContestant, SmallCalls>();
  const [bare, ...proxies] = contestants;
  if (!bare) return all;
  const meters = proxies.filter(({ endpoint: { role } }) => role === "meter" || role === "older");
  const others = proxies.filter((proxy) => !meters.includes(proxy));
  const ofBare: SmallCalls[] = [];
  // Two executables that are compared take turns with each other.
  for (const turns of [...others.map((proxy) => [proxy]), meters]) {
    const [bareCalls, ...measured] = await takeTurns([bare, ...turns], rounds);
    if (bareCalls) ofBare.push(bareCalls);
    for (const [at, calls] of measured.entries()) {
      const proxy = turns[at];
      if (proxy) all.set(proxy, calls);
    }
  }
  all.set(bare, joined(ofBare));
  return all;
}

async function takeTurns(
  contestants: readonly HttpContestant[],
  rounds: number,
): Promise<readonly SmallCalls[]> {
  const oneCall = ({ session }: HttpContestant): Promise<number> => session.call();
  await interleave(contestants, warmCalls, oneCall);
  const before = contestants.map((one) => processorOf(one));
  const series = await interleave(contestants, rounds, oneCall);
  const bareTrips = series[0]?.samples ?? [];
  return series.map(({ contestant, samples: trips }, at) => {
    const seconds = processorOf(contestant) - (before[at] ?? Number.NaN);
    // The calls of all proxies come to the bare server.
    const calls = rounds * (at === 0 ? contestants.length : 1);
    return { trips, bareTrips, cpuMicros: (1e6 * seconds) / calls };
  });
}

function processorOf({ endpoint }: HttpContestant): number {
  return cpuSeconds(endpoint.pid) ?? Number.NaN;
}

function joined(parts: readonly SmallCalls[]): SmallCalls {
  const trips = parts.flatMap((part) => part.trips);
  const cpuMicros = sum(parts.map((part) => part.cpuMicros)) / parts.length;
  return { trips, bareTrips: trips, cpuMicros };
}
