import type { Bench } from "./bench.ts";
import { benchBulk } from "./loads/bulk.ts";
import { benchConnect } from "./loads/connect.ts";
import { benchInFlight } from "./loads/in-flight.ts";
import { benchLine } from "./loads/line.ts";
import { benchPipelined } from "./loads/pipelined.ts";
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
  /** Whether `--quick` runs it by default: only what it can shorten. */
  readonly inQuick: boolean;
  /** Whether it can compare with an older executable. */
  readonly compares: boolean;
};

const shortened = { inQuick: true, compares: false };

/** Every benchmark by its name, in the order in which all are run. */
export const loads: ReadonlyMap<string, Load> = new Map([
  ["start", { run: benchStart, inQuick: true, compares: true }],
  ["round-trip", { run: benchRoundTrip, inQuick: true, compares: true }],
  ["pipelined", { run: benchPipelined, ...shortened }],
  ["stream", { run: benchStream, ...shortened }],
  ["bulk", { run: benchBulk, inQuick: true, compares: true }],
  ["line", { run: benchLine, ...shortened }],
  ["in-flight", { run: benchInFlight, ...shortened }],
  ["reverse", { run: benchReverse, ...shortened }],
  ["connect", { run: benchConnect, ...shortened }],
  ["shared-counter", { run: benchSharedCounter, ...shortened }],
  ["shared-log", { run: benchSharedLog, ...shortened }],
  ["soak", { run: benchSoak, ...shortened }],
  ["stages", { run: benchStages, ...shortened }],
  ["tokenizers", { run: benchTokenizersLoad, inQuick: false, compares: false }],
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
