import type { Bench } from "./bench.ts";
import { benchBulk } from "./loads/bulk.ts";
import { benchBulkSoak } from "./loads/bulk-soak.ts";
import { benchConnect } from "./loads/connect.ts";
import { benchCounters } from "./loads/counters.ts";
import { benchCycles } from "./loads/cycles.ts";
import { benchDash } from "./loads/dash.ts";
import { benchHttp } from "./loads/http.ts";
import { benchInFlight } from "./loads/in-flight.ts";
import { benchLine } from "./loads/line.ts";
import { benchPipelined } from "./loads/pipelined.ts";
import { benchRate } from "./loads/rate.ts";
import { benchImport } from "./loads/import.ts";
import { benchReport } from "./loads/report.ts";
import { benchReverse } from "./loads/reverse.ts";
import { benchRoundTrip } from "./loads/round-trip.ts";
import { benchSharedCounter } from "./loads/shared-counter.ts";
import { benchSharedLog } from "./loads/shared-log.ts";
import { benchSoak } from "./loads/soak.ts";
import { benchStart } from "./loads/start.ts";
import { benchStream } from "./loads/stream.ts";
import { benchTokenizersLoad } from "./loads/tokenizers.ts";
import type { Measurement } from "./measurement.ts";
import type { LoadNames } from "./options.ts";
import { benchStages } from "./stages.ts";

type Load = {
  readonly run: (bench: Bench) => Promise<Measurement>;
  /** Whether `--quick` runs it by default: not what takes a minute even so. */
  readonly inQuick: boolean;
  /** Whether an older executable can take part. */
  readonly compares: boolean;
};

const comparing = { inQuick: true, compares: true };
const long = { inQuick: false, compares: false };
const alone = { inQuick: true, compares: false };

/** Every benchmark by its name, in the order in which all are run. */
export const loads: ReadonlyMap<string, Load> = new Map([
  ["start", { run: benchStart, ...comparing }],
  ["round-trip", { run: benchRoundTrip, ...comparing }],
  ["pipelined", { run: benchPipelined, ...comparing }],
  ["stream", { run: benchStream, ...comparing }],
  ["bulk", { run: benchBulk, ...comparing }],
  ["line", { run: benchLine, ...comparing }],
  ["in-flight", { run: benchInFlight, ...alone }],
  ["reverse", { run: benchReverse, ...comparing }],
  ["connect", { run: benchConnect, ...comparing }],
  ["rate", { run: benchRate, ...comparing }],
  ["http", { run: benchHttp, ...comparing }],
  ["counters", { run: benchCounters, ...alone }],
  ["shared-counter", { run: benchSharedCounter, ...alone }],
  ["shared-log", { run: benchSharedLog, ...alone }],
  ["cycles", { run: benchCycles, ...comparing }],
  [
    "soak",
    { run: (bench) => (bench.bulk ? benchBulkSoak(bench) : benchSoak(bench)), ...comparing },
  ],
  ["report", { run: benchReport, ...long }],
  ["import", { run: benchImport, ...long }],
  ["dash", { run: benchDash, ...long }],
  ["stages", { run: benchStages, ...long }],
  ["tokenizers", { run: benchTokenizersLoad, ...long }],
]);

/** The names that a command line may contain. */
export function loadNames(): LoadNames {
  const all = [...loads.keys()];
  return { all, comparing: all.filter((name) => loads.get(name)?.compares === true) };
}

/** The loads that run when no names are given. */
export function defaultNames(quick: boolean): readonly string[] {
  return [...loads].filter(([, load]) => load.inQuick || !quick).map(([name]) => name);
}
