import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

/** The command line, parsed. */
export type Options = {
  /** Which loads to run, in this order; empty for all. */
  readonly names: readonly string[];
  /** Fewer rounds: for a quick look or for CI, not for the document. */
  readonly quick: boolean;
  /** Put the figures into docs/benchmarks.md, and the drawings into docs/benchmarks/. */
  readonly write: boolean;
  /** Print one JSON document instead of tables. */
  readonly json: boolean;
  /** Minutes that the soak lasts. */
  readonly minutes: number;
  /** Whether the soak is one of large answers. */
  readonly bulk: boolean;
  /** The executable under test. */
  readonly meter: string;
  /** An older executable to compare with. */
  readonly against: string | undefined;
};

/** The loads by name, and those in which an older executable can take part. */
export type LoadNames = {
  readonly all: readonly string[];
  readonly comparing: readonly string[];
};

/** The help text. */
export const usage = `bun scripts/bench/main.ts [names…] [options]

  --quick         fewer rounds
  --write         put the figures into docs/benchmarks.md, drawings into docs/benchmarks
  --json          print one JSON document instead of tables
  --minutes N     how long the soak lasts, 1 by default
  --bulk          the soak is one of answers of 1 MB, as fast as they pass
  --meter FILE    the executable to measure, dist/mcp-meter by default
  --against FILE  an older executable that takes part too; only loads in which it can`;

const defaultMeter = join(import.meta.dir, "../../dist/mcp-meter");
const minutesMax = 24 * 60;

/** Parses argv; throws an Error of one sentence when it is not valid. */
export function parseOptions(rawArguments: readonly string[], loads: LoadNames): Options {
  const { values, positionals } = parseArgs({
    args: [...rawArguments],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      minutes: { type: "string", default: "1" },
      bulk: { type: "boolean", default: false },
      meter: { type: "string", default: defaultMeter },
      against: { type: "string" },
    },
  });
  return {
    ...values,
    names: parseNames(positionals, values.against, loads),
    minutes: parseMinutes(values.minutes),
    meter: resolve(values.meter),
    against: values.against === undefined ? undefined : resolve(values.against),
  };
}

function parseNames(
  names: readonly string[],
  against: string | undefined,
  { all, comparing }: LoadNames,
): readonly string[] {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Cannot run "${unknown}": the benchmarks are ${all.join(", ")}`);
  }
  if (against === undefined) return names;
  const alone = names.find((name) => !comparing.includes(name));
  if (alone !== undefined) {
    throw new Error(`Cannot compare "${alone}": --against works with ${comparing.join(", ")}`);
  }
  return names.length > 0 ? names : comparing;
}

function parseMinutes(raw: string): number {
  const minutes = Number(raw);
  if (minutes > 0 && minutes <= minutesMax) return minutes;
  throw new Error(`Cannot soak for "${raw}" minutes: it must be a number from 1 to ${minutesMax}`);
}
