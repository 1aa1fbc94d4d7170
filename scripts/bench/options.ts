import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

export interface Options {
  /** Which loads to run, in this order; empty for all. */
  readonly names: readonly string[];
  /** Fewer rounds: for a look or for CI, not for the document. */
  readonly quick: boolean;
  /** Put the figures into docs/benchmarks.md. */
  readonly write: boolean;
  /** Print one JSON document instead of tables. */
  readonly json: boolean;
  /** How long the soak lasts. */
  readonly minutes: number;
  /** The executable under test. */
  readonly meter: string;
}

export const USAGE = `bun scripts/bench/main.ts [names…] [--quick] [--write] [--json] [--minutes N] [--meter FILE]

  --quick       fewer rounds
  --write       put the figures into docs/benchmarks.md
  --json        print one JSON document instead of tables
  --minutes N   how long the soak lasts, 1 by default
  --meter FILE  the executable to measure, dist/mcp-meter by default`;

const METER = join(import.meta.dir, "../../dist/mcp-meter");
const MINUTES_MAX = 24 * 60;

/** Parses argv; throws with one sentence when it cannot be read. */
export function parseOptions(rawArguments: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...rawArguments],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      minutes: { type: "string", default: "1" },
      meter: { type: "string", default: METER },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Cannot run "${unknown}": the benchmarks are ${known.join(", ")}`);
  }
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= MINUTES_MAX)) {
    throw new Error(
      `Cannot soak for "${values.minutes}" minutes: it must be a number from 1 to ${MINUTES_MAX}`,
    );
  }
  return { ...values, names: positionals, minutes, meter: resolve(values.meter) };
}
