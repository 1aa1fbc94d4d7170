import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findOptionSet, type OptionSet, optionSets } from "./option-sets.ts";

/** The command line of the fuzzer, parsed. */
export type CliOptions = {
  readonly seconds: number;
  /** Plays after which it stops; undefined for as many as the time allows. */
  readonly plays: number | undefined;
  readonly seed: number;
  readonly sets: readonly OptionSet[];
  readonly executable: string;
  /** Plays at a time. */
  readonly jobs: number;
  /** A reproduction file to run instead. */
  readonly replay: string | undefined;
  /** Folder of reproduction files. */
  readonly out: string;
  readonly isJson: boolean;
  /** True to use the mutations of known faults, too. */
  readonly isAll: boolean;
  readonly isHelp: boolean;
};

/** The help text. */
export const usage = `bun scripts/fuzz.ts [options]

Plays an MCP client and a hostile MCP server on both sides of mcp-meter, and checks what arrives.

  --seconds N        how long to run, 60 by default
  --plays N          stop after N plays
  --seed S           begin with this seed; by default one from the clock
  --options NAME,…   only these option sets (${optionSets.map(({ name }) => name).join(", ")})
  --executable FILE  the program under test, dist/mcp-meter by default
  --jobs N           plays at a time, 2 by default
  --replay FILE      run a reproduction file again
  --out FOLDER       folder for reproduction files, dist/fuzz by default
  --all              also use mutations that find known faults
  --json             print one JSON document
  --help             print this text

Examples
  bun scripts/fuzz.ts --seconds 20
  bun scripts/fuzz.ts --seed 7 --options session,truncate --plays 50
  bun scripts/fuzz.ts --replay dist/fuzz/ceiling-session-7.json

Ends with 0 when no promise was broken, with 1 when one was, with 2 for a mistake in the options.`;

const root = join(import.meta.dir, "../..");

/** Parses argv; throws an Error of one sentence when it is not valid. */
export function parseCliOptions(rawArguments: readonly string[]): CliOptions {
  const { values } = parseArgs({
    args: [...rawArguments],
    options: {
      seconds: { type: "string", default: "60" },
      plays: { type: "string" },
      seed: { type: "string" },
      options: { type: "string", multiple: true, default: [] },
      executable: { type: "string", default: join(root, "dist/mcp-meter") },
      jobs: { type: "string", default: "2" },
      replay: { type: "string" },
      out: { type: "string", default: join(root, "dist/fuzz") },
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const names = values.options.flatMap((text) => text.split(",")).filter((name) => name !== "");
  return {
    seconds: wholeNumber("seconds", values.seconds, 1),
    plays: values.plays === undefined ? undefined : wholeNumber("plays", values.plays, 1),
    seed: values.seed === undefined ? Date.now() % 2 ** 31 : wholeNumber("seed", values.seed, 0),
    sets: names.length === 0 ? optionSets : names.map(findOptionSet),
    executable: resolve(values.executable),
    jobs: wholeNumber("jobs", values.jobs, 1),
    replay: values.replay === undefined ? undefined : resolve(values.replay),
    out: resolve(values.out),
    isJson: values.json,
    isAll: values.all,
    isHelp: values.help,
  };
}

function wholeNumber(option: string, raw: string, least: number): number {
  const number = Number(raw);
  if (raw.trim() !== "" && Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`--${option} must be a whole number from ${least}, not "${raw}"`);
}
