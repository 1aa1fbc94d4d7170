import type { Bench } from "../bench.ts";
import { interleave, median, type Series, sum } from "../figures.ts";
import { longAnswerLine } from "../messages.ts";
import type { Endpoint } from "./endpoints.ts";
import { processorMs, cpuSeconds, residentMb } from "../processes.ts";
import { HttpSession, type Lags } from "./http-session.ts";

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

export function chooseRounds({ quick }: Bench) {
  return quick
    ? { small: 2_000, atOnce: 4, long: 4, lag: 3 }
    : { small: 10_000, atOnce: 20, long: 16, lag: 12 };
}

export async function measureExchanges(
  bench: Bench,
  endpoints: readonly Endpoint[],
): Promise<readonly Exchanged[]> {
  const rounds = chooseRounds(bench);
  const contestants: HttpContestant[] = [];
  for (const endpoint of endpoints) {
    contestants.push({ endpoint, session: await HttpSession.begin(endpoint.url) });
  }
  const small = await measureSmallCalls(contestants, rounds.small);
  const atOnce = await interleave(contestants, rounds.atOnce, playCrowdedRound);
  const lags = await interleave(contestants, rounds.lag, ({ session }) =>
    session.streamCall(lagEvents),
  );
  const line = longAnswerLine(1, longBytes);
  const long = await interleave(contestants, rounds.long + 1, makeLongRound(line));
  return contestants.flatMap((contestant, at) => {
    const calls = small.get(contestant);
    if (!calls) return [];
    return {
      ...calls,
      endpoint: contestant.endpoint,
      callsPerSecond: readSamples(atOnce, at),
      lagsMs: readSamples(lags, at),
      longMbPerSecond: readSamples(long, at).slice(1).map(computeRate),
      longCpuMs: median(
        readSamples(long, at)
          .slice(1)
          .map(({ cpuMs }) => cpuMs),
      ),
      calls: contestant.session.calls + rounds.long + 1,
    };
  });
}

function readSamples<Sample>(
  series: readonly Series<HttpContestant, Sample>[],
  at: number,
): readonly Sample[] {
  return series[at]?.samples ?? [];
}

async function playCrowdedRound({ session }: HttpContestant): Promise<number> {
  const startedMs = performance.now();
  await callMany(session, callsAtOnce);
  return callsAtOnce / ((performance.now() - startedMs) / 1000);
}

async function callMany(session: HttpSession, calls: number): Promise<void> {
  let remaining = calls;
  const work = async (): Promise<void> => {
    while (remaining-- > 0) await session.call();
  };
  await Promise.all(Array.from({ length: workers }, work));
}

type LongAnswer = { readonly seconds: number; readonly cpuMs: number };

function computeRate({ seconds }: LongAnswer): number {
  return longBytes / 1e6 / seconds;
}

function makeLongRound(expected: Buffer) {
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

/** Lets the runtime finish compiling: `serve` compiles its last functions between 8,000 and 12,000 calls. */
const warmCalls = 10_000;

type HttpContestant = { readonly endpoint: Endpoint; readonly session: HttpSession };

type SmallCalls = {
  readonly trips: readonly number[];
  readonly bareTrips: readonly number[];
  readonly cpuMicros: number;
};

async function measureSmallCalls(
  contestants: readonly HttpContestant[],
  rounds: number,
): Promise<ReadonlyMap<HttpContestant, SmallCalls>> {
  const callsByContestant = new Map<HttpContestant, SmallCalls>();
  const [bare, ...proxies] = contestants;
  if (!bare) return callsByContestant;
  const meters = proxies.filter(({ endpoint: { role } }) => role === "meter" || role === "older");
  const others = proxies.filter((proxy) => !meters.includes(proxy));
  const bareRounds: SmallCalls[] = [];
  // Two executables that are compared take turns with each other.
  for (const turns of [...others.map((proxy) => [proxy]), meters]) {
    const [bareCalls, ...measured] = await takeTurns([bare, ...turns], rounds);
    if (bareCalls) bareRounds.push(bareCalls);
    for (const [at, calls] of measured.entries()) {
      const proxy = turns[at];
      if (proxy) callsByContestant.set(proxy, calls);
    }
  }
  callsByContestant.set(bare, joinCalls(bareRounds));
  return callsByContestant;
}

async function takeTurns(
  contestants: readonly HttpContestant[],
  rounds: number,
): Promise<readonly SmallCalls[]> {
  const oneCall = ({ session }: HttpContestant): Promise<number> => session.call();
  await interleave(contestants, warmCalls, oneCall);
  const before = contestants.map((contestant) => readProcessorSeconds(contestant));
  const series = await interleave(contestants, rounds, oneCall);
  const bareTrips = series[0]?.samples ?? [];
  return series.map(({ contestant, samples: trips }, at) => {
    const seconds = readProcessorSeconds(contestant) - (before[at] ?? Number.NaN);
    // The calls of all proxies come to the bare server.
    const calls = rounds * (at === 0 ? contestants.length : 1);
    return { trips, bareTrips, cpuMicros: (1e6 * seconds) / calls };
  });
}

function readProcessorSeconds({ endpoint }: HttpContestant): number {
  return cpuSeconds(endpoint.pid) ?? Number.NaN;
}

function joinCalls(parts: readonly SmallCalls[]): SmallCalls {
  const trips = parts.flatMap((part) => part.trips);
  const cpuMicros = sum(parts.map((part) => part.cpuMicros)) / parts.length;
  return { trips, bareTrips: trips, cpuMicros };
}

const callsPerSession = 100;
const settleMs = 1_000;
const readingsEach = 7;

export type RequestMemory = {
  readonly endpoint: Endpoint;
  readonly residentMb: readonly number[];
  readonly calls: number;
};

export function listCallMarks({ quick }: Bench): readonly [number, number, number] {
  return quick ? [1_000, 5_000, 20_000] : [1_000, 10_000, 100_000];
}

export async function measureMemory(
  bench: Bench,
  endpoints: readonly Endpoint[],
): Promise<readonly RequestMemory[]> {
  const measured: RequestMemory[] = [];
  for (const endpoint of endpoints) {
    const resident: number[] = [];
    let calls = 0;
    for (const mark of listCallMarks(bench)) {
      for (; calls < mark; calls += callsPerSession) await playSession(endpoint.url);
      resident.push(await measureSettledMemory(endpoint));
      calls += readingsEach * callsPerSession;
    }
    measured.push({ endpoint, residentMb: resident, calls });
  }
  return measured;
}

async function measureSettledMemory({ url, pid }: Endpoint): Promise<number> {
  const readings: number[] = [];
  for (let reading = 0; reading < readingsEach; reading += 1) {
    await playSession(url);
    await Bun.sleep(settleMs);
    readings.push(residentMb(pid) ?? Number.NaN);
  }
  return median(readings);
}

async function playSession(url: string): Promise<void> {
  const session = await HttpSession.begin(url);
  await callMany(session, callsPerSession);
  await session.end();
}
