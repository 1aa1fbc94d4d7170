import type { Bench } from "../bench.ts";
import { interleave, median, type Series } from "../figures.ts";
import { longAnswerLine } from "../messages.ts";
import type { Endpoint } from "./endpoints.ts";
import { processorMs } from "../processes.ts";
import { HttpSession, type Lags } from "./http-session.ts";
import { type HttpContestant, measureSmallCalls, type SmallCalls } from "./small-calls.ts";

const workers = 32;
const callsAtOnce = 1_000;
export const longBytes = 64 * 1024 * 1024;
const sessionStartMs = 100;
const lagEvents = { events: 50, everyMs: 5 };

export type Exchanged = SmallCalls & {
  readonly endpoint: Endpoint;
  readonly callsPerSecond: readonly number[];
  readonly longMbPerSecond: readonly number[];
  readonly longCpuMs: number;
  readonly lagsMs: readonly Lags[];
  readonly calls: number;
};

export function roundsOf({ quick }: Bench) {
  return quick
    ? { small: 2_000, atOnce: 4, long: 4, lag: 3 }
    : { small: 10_000, atOnce: 20, long: 16, lag: 12 };
}

export async function measureExchanges(
  bench: Bench,
  endpoints: readonly Endpoint[],
): Promise<readonly Exchanged[]> {
  const rounds = roundsOf(bench);
  const contestants: HttpContestant[] = [];
  for (const endpoint of endpoints) {
    contestants.push({ endpoint, session: await HttpSession.begin(endpoint.url) });
  }
  const small = await measureSmallCalls(contestants, rounds.small);
  const atOnce = await interleave(contestants, rounds.atOnce, crowdRound);
  const lags = await interleave(contestants, rounds.lag, ({ session }) =>
    session.streamCall(lagEvents),
  );
  const line = longAnswerLine(1, longBytes);
  const long = await interleave(contestants, rounds.long + 1, longRound(line));
  return contestants.flatMap((contestant, at) => {
    const calls = small.get(contestant);
    if (!calls) return [];
    return {
      ...calls,
      endpoint: contestant.endpoint,
      callsPerSecond: samplesAt(atOnce, at),
      lagsMs: samplesAt(lags, at),
      longMbPerSecond: samplesAt(long, at).slice(1).map(rateOf),
      longCpuMs: median(
        samplesAt(long, at)
          .slice(1)
          .map(({ cpuMs }) => cpuMs),
      ),
      calls: contestant.session.calls + rounds.long + 1,
    };
  });
}

function samplesAt<Sample>(
  series: readonly Series<HttpContestant, Sample>[],
  at: number,
): readonly Sample[] {
  return series[at]?.samples ?? [];
}

async function crowdRound({ session }: HttpContestant): Promise<number> {
  const startedMs = performance.now();
  await callMany(session, callsAtOnce);
  return callsAtOnce / ((performance.now() - startedMs) / 1000);
}

export async function callMany(session: HttpSession, calls: number): Promise<void> {
  let left = calls;
  const work = async (): Promise<void> => {
    while (left-- > 0) await session.call();
  };
  await Promise.all(Array.from({ length: workers }, work));
}

type LongAnswer = { readonly seconds: number; readonly cpuMs: number };

function rateOf({ seconds }: LongAnswer): number {
  return longBytes / 1e6 / seconds;
}

function longRound(expected: Buffer) {
  return async ({ endpoint }: HttpContestant): Promise<LongAnswer> => {
    const session = await HttpSession.begin(endpoint.url);
    await Bun.sleep(sessionStartMs);
    const before = processorMs(endpoint.pid);
    const seconds = await session.longCall(expected);
    await Bun.sleep(sessionStartMs);
    const cpuMs = processorMs(endpoint.pid) - before;
    await session.end();
    return { seconds, cpuMs };
  };
}
