/** `bun scripts/bench/main.ts`: runs the load table and says which goals were met. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bench, lastWords, withBench } from "./bench.ts";
import { replaceFigures } from "./document.ts";
import { describeMachine } from "./machine.ts";
import type { Measurement } from "./measurement.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { defaultNames, loads } from "./suite.ts";
import { renderMeasurement } from "./table.ts";

const DOCUMENT = join(import.meta.dir, "../../docs/benchmarks.md");
const EXIT_MISSED = 1;
const EXIT_USAGE = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(rawArguments: readonly string[]): Promise<number> {
  const options = optionsOrUsage(rawArguments);
  if (options === undefined) return EXIT_USAGE;
  const machine = await describeMachine();
  const measurements = await withBench(options, (bench) => runLoads(bench, machine));
  if (options.json) {
    console.log(JSON.stringify({ date: today(), machine, quick: options.quick, measurements }));
  }
  const passed = measurements.every(({ verdicts }) => verdicts.every((verdict) => verdict.passed));
  return passed ? 0 : EXIT_MISSED;
}

function optionsOrUsage(rawArguments: readonly string[]): Options | undefined {
  try {
    const options = parseOptions(rawArguments, [...loads.keys()]);
    if (existsSync(options.meter)) return options;
    console.error(
      "Cannot measure mcp-meter: its executable does not exist, bun run build makes it",
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(`\n${USAGE}`);
  }
  return undefined;
}

/** One after the other; each is printed, and written if asked for, as soon as it is done. */
async function runLoads(bench: Bench, machine: string): Promise<readonly Measurement[]> {
  const names = bench.names.length > 0 ? bench.names : defaultNames(bench.quick);
  const measurements: Measurement[] = [];
  for (const name of names) {
    const measurement = await measured(bench, name);
    measurements.push(measurement);
    if (!bench.json) console.log(`## ${name}\n\n${renderMeasurement(measurement)}\n`);
    if (bench.write && measurement.rows.length > 0)
      await writeFigures(measurement, machine, bench.quick);
  }
  return measurements;
}

/** A load that fails is a goal that was missed: the others still run. */
async function measured(bench: Bench, name: string): Promise<Measurement> {
  const load = loads.get(name);
  try {
    if (load === undefined) throw new Error("There is no such load");
    return await load.run(bench);
  } catch (error) {
    console.error(lastWords(bench), error);
    const seen = error instanceof Error ? error.message : String(error);
    const verdicts = [{ goal: "runs to its end", seen, passed: false }];
    return { load: name, caption: "It failed.", columns: [], rows: [], verdicts };
  }
}

async function writeFigures(
  measurement: Measurement,
  machine: string,
  quick: boolean,
): Promise<void> {
  const provenance = `_${today()}, ${machine}${quick ? "; quick run" : ""}_`;
  const figures = `${provenance}\n\n${renderMeasurement(measurement)}`;
  const document = await Bun.file(DOCUMENT).text();
  await Bun.write(DOCUMENT, replaceFigures(document, measurement.load, figures));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
