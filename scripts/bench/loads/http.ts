import { type Bench, removeLog } from "../bench.ts";
import {
  atLeast,
  atMost,
  blocks,
  compare,
  type Comparison,
  exactly,
  type Figure,
  type Measurement,
  median,
  medianRatio,
  notWorse,
  percentile,
  sum,
  type Verdict,
} from "../figures.ts";
import { type Endpoint, type HttpRole, withEndpoints } from "../http/endpoints.ts";
import {
  listCallMarks,
  type Exchanged,
  longBytes,
  measureExchanges,
  measureMemory,
  type RequestMemory,
  chooseRounds,
} from "../http/exchanges.ts";
import type { Lags } from "../http/http-session.ts";
import { eventsEach, measureStreams, streamCount, type Streamed } from "../http/streams.ts";
import { countRecords } from "../records.ts";

const callsPerBlock = 200;
const tripRatioMax = 3;
const lagAddedMaxMs = 5;
const longRatioMin = 0.4;
/** Two readings of one process differ by a tenth, depending on the last garbage collection. */
const memoryRatioMax = 1.2;

type Served = Exchanged &
  Pick<Streamed, "tripsMs" | "streamMb"> & {
    readonly name: string;
    readonly role: HttpRole;
    readonly streamLagsMs: Streamed["lagsMs"];
    readonly residentMb: RequestMemory["residentMb"];
  };

type Counted = { readonly recorded: number; readonly made: number };

export async function benchHttp(bench: Bench): Promise<Measurement> {
  const exchanged = await measureAndCount(bench, measureExchanges);
  const streamed = await withEndpoints(bench, (endpoints) => measureStreams(bench, endpoints));
  const memory = await measureAndCount(bench, measureMemory);
  const served = exchanged.results.map((exchange, at): Served => {
    const streams = streamed[at];
    if (!streams) throw new Error("An endpoint has no streams");
    const { lagsMs: streamLagsMs, tripsMs, streamMb } = streams;
    const { name, role } = exchange.endpoint;
    const { residentMb = [] } = memory.results[at] ?? {};
    return { ...exchange, name, role, streamLagsMs, tripsMs, streamMb, residentMb };
  });
  const comparisons = compareServed(served);
  return {
    ...tabulate(bench, served),
    verdicts: [
      ...judge(bench, served),
      ...judgeRecords([...exchanged.counted, ...memory.counted]),
      ...comparisons.map(notWorse),
    ],
    comparisons,
  };
}

type Measured<Result> = {
  readonly results: readonly Result[];
  readonly counted: readonly Counted[];
};

function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}

async function measureAndCount<
  Result extends { readonly endpoint: Endpoint; readonly calls: number },
>(
  bench: Bench,
  measure: (bench: Bench, endpoints: readonly Endpoint[]) => Promise<readonly Result[]>,
): Promise<Measured<Result>> {
  const results = await withEndpoints(bench, (endpoints) => measure(bench, endpoints));
  const metered = results.filter(({ endpoint }) => endpoint.meters);
  const counted = metered.map(async ({ endpoint, calls }) => {
    const { once } = await countRecords(endpoint.log);
    removeLog(endpoint.log);
    return { recorded: once, made: calls };
  });
  return { results, counted: await Promise.all(counted) };
}

function tabulate(
  bench: Bench,
  served: readonly Served[],
): Pick<Measurement, "caption" | "columns" | "rows"> {
  return {
    caption: `${formatCount(chooseRounds(bench).small)} small calls each, one at a time and in turn with the bare server, then 32 at once; answers of 64 MiB; ${streamCount} streams of ${eventsEach(bench)} events at once. Every answer is compared.`,
    columns: [
      "p50",
      "of bare",
      "p99",
      "processor per call",
      "32 at once",
      "64 MiB",
      "processor of 64 MiB",
      "event lag p99",
      `lag p99, ${streamCount} streams`,
      "call p50 meanwhile",
      "memory per stream",
      ...listCallMarks(bench).map((calls) => `after ${formatCount(calls)} calls`),
    ],
    rows: served.map((endpoint) => ({ contestant: endpoint.name, figures: listFigures(endpoint) })),
  };
}

function listFigures(endpoint: Served): readonly Figure[] {
  return [
    { value: median(endpoint.trips), unit: "µs" },
    { value: medianRatio(tripMedians(endpoint.trips), tripMedians(endpoint.bareTrips)), unit: "×" },
    { value: percentile(endpoint.trips, 99), unit: "µs" },
    { value: endpoint.cpuMicros, unit: "µs" },
    { value: median(endpoint.callsPerSecond), unit: "/s" },
    { value: median(endpoint.longMbPerSecond), unit: "MB/s" },
    { value: endpoint.longCpuMs, unit: "ms" },
    { value: percentile(endpoint.lagsMs.flat(), 99), unit: "ms" },
    { value: percentile(endpoint.streamLagsMs.flat(), 99), unit: "ms" },
    { value: median(endpoint.tripsMs), unit: "ms" },
    { value: endpoint.streamMb, unit: "MB" },
    ...endpoint.residentMb.map((value): Figure => ({ value, unit: "MB" })),
  ];
}

function judge(bench: Bench, served: readonly Served[]): readonly Verdict[] {
  const [bare, meter] = [pick(served, "bare"), pick(served, "meter")];
  const [, early = 0, late = 0] = listCallMarks(bench).map((calls) => formatCount(calls));
  const [, earlyMb = Number.NaN, lateMb = Number.NaN] = meter.residentMb;
  return [
    atMost(
      "p50 of the bare server's",
      medianRatio(tripMedians(meter.trips), tripMedians(meter.bareTrips)),
      tripRatioMax,
      "×",
    ),
    atLeast(
      "64 MiB, of the bare server's rate",
      medianRatio(meter.longMbPerSecond, bare.longMbPerSecond),
      longRatioMin,
      "×",
    ),
    atMost(
      "event lag p99 added",
      computeAddedLagMs(meter.lagsMs, bare.lagsMs),
      lagAddedMaxMs,
      "ms",
    ),
    atMost(
      `event lag p99 added, ${streamCount} streams`,
      computeAddedLagMs(meter.streamLagsMs, bare.streamLagsMs),
      lagAddedMaxMs,
      "ms",
    ),
    atMost(
      `memory after ${late} calls, compared with ${early}`,
      lateMb / earlyMb,
      memoryRatioMax,
      "×",
    ),
  ];
}

function judgeRecords(counted: readonly Counted[]): readonly Verdict[] {
  const made = sum(counted.map(({ made: calls }) => calls));
  return [
    exactly("calls recorded exactly once", sum(counted.map(({ recorded }) => recorded)), made),
  ];
}

function compareServed(served: readonly Served[]): readonly Comparison[] {
  const older = served.find(({ role }) => role === "older");
  if (!older) return [];
  const newer = pick(served, "meter");
  return [
    compare({
      what: "small call",
      unit: "µs",
      older: tripMedians(older.trips),
      newer: tripMedians(newer.trips),
    }),
    compare({ what: "64 MiB", unit: "s", older: longSeconds(older), newer: longSeconds(newer) }),
    compare({
      what: "processor per call",
      unit: "µs",
      older: [older.cpuMicros],
      newer: [newer.cpuMicros],
    }),
    compare({
      what: "memory at the end",
      unit: "MB",
      older: older.residentMb.slice(-1),
      newer: newer.residentMb.slice(-1),
    }),
  ];
}

function tripMedians(trips: readonly number[]): readonly number[] {
  return blocks(trips, callsPerBlock).map(median);
}

function longSeconds({ longMbPerSecond }: Served): readonly number[] {
  return longMbPerSecond.map((rate) => longBytes / 1e6 / rate);
}

function computeAddedLagMs(proxied: readonly Lags[], bare: readonly Lags[]): number {
  return median(
    proxied.map((lags, round) => percentile(lags, 99) - percentile(bare[round] ?? [], 99)),
  );
}

function pick(served: readonly Served[], role: HttpRole): Served {
  const found = served.find((one) => one.role === role);
  if (!found) throw new Error(`Cannot compare: "${role}" has no result`);
  return found;
}
