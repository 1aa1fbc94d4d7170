import type { Bench } from "./bench.ts";
import { benchConnect } from "./loads/connect.ts";
import { benchLine } from "./loads/line.ts";
import { benchPipelined } from "./loads/pipelined.ts";
import { benchReverse } from "./loads/reverse.ts";
import { benchRoundTrip } from "./loads/round-trip.ts";
import { benchSharedLog } from "./loads/shared-log.ts";
import { benchSoak } from "./loads/soak.ts";
import { benchStart } from "./loads/start.ts";
import { benchStream } from "./loads/stream.ts";
import { benchTokenizersLoad } from "./loads/tokenizers.ts";
import type { Measurement } from "./measurement.ts";

interface Load {
  readonly run: (bench: Bench) => Promise<Measurement>;
  /** Whether `--quick` runs it unasked: only what it can shorten. */
  readonly inQuick: boolean;
}

/** Every benchmark by its name, in the order in which all are run. */
export const loads: ReadonlyMap<string, Load> = new Map([
  ["start", { run: benchStart, inQuick: true }],
  ["round-trip", { run: benchRoundTrip, inQuick: true }],
  ["pipelined", { run: benchPipelined, inQuick: true }],
  ["stream", { run: benchStream, inQuick: true }],
  ["line", { run: benchLine, inQuick: true }],
  ["reverse", { run: benchReverse, inQuick: true }],
  ["connect", { run: benchConnect, inQuick: true }],
  ["shared-log", { run: benchSharedLog, inQuick: true }],
  ["soak", { run: benchSoak, inQuick: true }],
  ["tokenizers", { run: benchTokenizersLoad, inQuick: false }],
]);

/** What runs when no names are given. */
export function defaultNames(quick: boolean): readonly string[] {
  return [...loads].filter(([, load]) => load.inQuick || !quick).map(([name]) => name);
}
