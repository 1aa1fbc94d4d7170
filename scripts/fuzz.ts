/** `bun scripts/fuzz.ts`: plays hostile clients and servers around mcp-meter until the time is up. */
import { existsSync } from "node:fs";
import { Arena } from "./fuzz/arena.ts";
import { type CliOptions, parseCliOptions, usage } from "./fuzz/cli-options.ts";
import { describeFinding, reportJson } from "./fuzz/report.ts";
import { readReproduction } from "./fuzz/reproduction.ts";
import { fuzz } from "./fuzz/run.ts";
import type { Tally } from "./fuzz/tally.ts";

const exitViolated = 1;
const exitUsage = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(rawArguments: readonly string[]): Promise<number> {
  const options = parse(rawArguments);
  if (options === undefined) return exitUsage;
  if (options.isHelp) {
    console.log(usage);
    return 0;
  }
  using arena = new Arena(options.executable);
  // Awaited here: the arena is gone when this function returns.
  return await (options.replay === undefined ? run(arena, options) : replay(arena, options.replay));
}

function parse(rawArguments: readonly string[]): CliOptions | undefined {
  try {
    const options = parseCliOptions(rawArguments);
    if (options.isHelp || existsSync(options.executable)) return options;
    console.error(
      `Cannot start "${options.executable}": it does not exist; bun run build makes it`,
    );
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
  return undefined;
}

async function run(arena: Arena, options: CliOptions): Promise<number> {
  const { seed, isJson } = options;
  const isWatched = process.stderr.isTTY && !isJson;
  const tally = await fuzz(arena, options, {
    played: (figures) => {
      if (isWatched) process.stderr.write(`\r\u001B[K${figures.describe(seed)}`);
    },
    found: (finding) => console.error(`${isWatched ? "\n" : ""}${describeFinding(finding)}\n`),
  });
  if (isWatched) process.stderr.write("\r\u001B[K");
  console.log(isJson ? reportJson(tally, seed) : tally.describe(seed));
  return exitCodeOf(tally);
}

function exitCodeOf({ findings }: Tally): number {
  return findings.length === 0 ? 0 : exitViolated;
}

async function replay(arena: Arena, file: string): Promise<number> {
  const { violations } = await arena.play(readReproduction(file));
  for (const { oracle, detail } of violations) console.log(`${oracle}: ${detail}`);
  if (violations.length === 0) console.log("No promise was broken");
  return violations.length === 0 ? 0 : exitViolated;
}
