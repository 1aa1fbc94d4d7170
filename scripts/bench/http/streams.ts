import type { Bench } from "../bench.ts";
import { interleave, median } from "../figures.ts";
import { residentMb } from "../processes.ts";
import type { Endpoint } from "./endpoints.ts";
import { HttpSession, type Lags } from "./http-session.ts";

export const streamCount = 200;
const everyMs = 100;
const callsMeanwhile = 20;
const openingEvents = 5;

export type Streamed = {
  readonly endpoint: Endpoint;
  readonly lagsMs: readonly Lags[];
  readonly tripsMs: readonly number[];
  readonly streamMb: number;
};

type Round = Omit<Streamed, "endpoint" | "lagsMs"> & { readonly lagsMs: Lags };

export const eventsEach = ({ quick }: Bench): number => (quick ? 20 : 50);

export async function measureStreams(
  bench: Bench,
  endpoints: readonly Endpoint[],
): Promise<readonly Streamed[]> {
  const series = await interleave(endpoints, bench.quick ? 1 : 3, (endpoint) =>
    playStreams(endpoint, eventsEach(bench)),
  );
  return series.map(({ contestant: endpoint, samples }) => ({
    endpoint,
    lagsMs: samples.map(({ lagsMs }) => lagsMs),
    tripsMs: samples.flatMap(({ tripsMs }) => tripsMs),
    streamMb: median(samples.map(({ streamMb }) => streamMb)),
  }));
}

async function playStreams({ url, pid }: Endpoint, events: number): Promise<Round> {
  const session = await HttpSession.begin(url);
  const beforeMb = residentMb(pid) ?? Number.NaN;
  const streaming = Array.from({ length: streamCount }, () =>
    session.streamCall({ events, everyMs }),
  );
  const calling = callMeanwhile(url, (events * everyMs) / 2);
  const lagsMs = (await Promise.all(streaming)).flatMap((lags) => lags.slice(openingEvents));
  const tripsMs = await calling;
  const streamMb = ((residentMb(pid) ?? Number.NaN) - beforeMb) / streamCount;
  await session.end();
  return { lagsMs, tripsMs, streamMb };
}

async function callMeanwhile(url: string, ms: number): Promise<readonly number[]> {
  const session = await HttpSession.begin(url);
  const trips: number[] = [];
  for (let call = 0; call < callsMeanwhile; call += 1) {
    await Bun.sleep(ms / callsMeanwhile);
    trips.push((await session.call()) / 1000);
  }
  await session.end();
  return trips;
}
