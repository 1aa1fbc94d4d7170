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
import type { Measurement } from "./measurement.ts";

/** Every benchmark by its name, in the order in which all are run. */
export const loads: ReadonlyMap<string, (bench: Bench) => Promise<Measurement>> = new Map([
  ["start", benchStart],
  ["round-trip", benchRoundTrip],
  ["pipelined", benchPipelined],
  ["stream", benchStream],
  ["line", benchLine],
  ["reverse", benchReverse],
  ["connect", benchConnect],
  ["shared-log", benchSharedLog],
  ["soak", benchSoak],
]);
