import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Play } from "./fuzz/messages.ts";
import { findOptionSet, optionSets } from "./fuzz/option-sets.ts";
import { Arena, describeTally, fuzz, type RunOptions } from "./fuzz/run.ts";
import { runCommand } from "./run-command.ts";

const exitViolated = 1;

type CliOptions = RunOptions & {
  readonly executable: string;
  readonly replay: string | undefined;
};

const usage = `bun scripts/fuzz.ts [options]

Plays an MCP client and a hostile MCP server on both sides of mcp-meter, and checks what arrives.

  --seconds N        how long to run, 60 by default
  --plays N          stop after N plays
  --seed S           the first seed; taken from the clock by default
  --options NAME,…   only these option sets (${optionSets.map(({ name }) => name).join(", ")})
  --executable FILE  the program under test, dist/mcp-meter by default
  --replay FILE      replay a reproduction file
  --help             print this text

Exit codes: 0 if no promise was broken, 1 if one was, 2 for a usage error.`;

process.exitCode = await runCommand(usage, async (rawArguments) => {
  const options = parseOptions(rawArguments);
  using arena = new Arena(options.executable);
  // Awaited here, because the arena is removed when this function returns.
  return await (options.replay === undefined ? run(arena, options) : replay(arena, options.replay));
});

function parseOptions(rawArguments: readonly string[]): CliOptions {
  const dist = join(import.meta.dir, "../dist");
  const { values } = parseArgs({
    args: [...rawArguments],
    options: {
      seconds: { type: "string", default: "60" },
      plays: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      options: { type: "string" },
      executable: { type: "string", default: join(dist, "mcp-meter") },
      replay: { type: "string" },
    },
  });
  const { plays, executable, replay: file } = values;
  if (!existsSync(executable))
    throw new Error(`Cannot start "${executable}": it does not exist; bun run build makes it`);
  return {
    seconds: parseWholeNumber("seconds", values.seconds),
    plays: plays === undefined ? Infinity : parseWholeNumber("plays", plays),
    seed: parseWholeNumber("seed", values.seed),
    sets: values.options?.split(",").map(findOptionSet) ?? optionSets,
    executable: resolve(executable),
    replay: file,
    out: join(dist, "fuzz"),
  };
}

function parseWholeNumber(option: string, raw: string): number {
  const number = Number(raw);
  if (raw.trim() !== "" && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${option} must be a whole number, not "${raw}"`);
}

async function run(arena: Arena, options: RunOptions): Promise<number> {
  const tally = await fuzz(arena, options);
  console.log(`${describeTally(tally)}, seed ${options.seed}`);
  return tally.violations === 0 ? 0 : exitViolated;
}

async function replay(arena: Arena, file: string): Promise<number> {
  const { play }: { readonly play: Play } = JSON.parse(readFileSync(file, "utf8"));
  const { violations } = await arena.play(play);
  for (const { oracle, detail } of violations) console.log(`${oracle}: ${detail}`);
  if (violations.length === 0) console.log("No promise was broken");
  return violations.length === 0 ? 0 : exitViolated;
}
