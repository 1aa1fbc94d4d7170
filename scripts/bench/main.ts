/** `bun scripts/bench/main.ts`: runs the load table and reports which goals were met. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Bench, stderrTail, withBench } from "./bench.ts";
import { compileTee } from "./compiled.ts";
import { replaceFigures, writeOut } from "./document.ts";
import { describeMachine } from "./machine.ts";
import type { Measurement } from "./measurement.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { defaultNames, loadNames, loads } from "./suite.ts";
import { renderMeasurement } from "./table.ts";
import { isMissed } from "./verdict.ts";

const documentFile = join(import.meta.dir, "../../docs/benchmarks.md");
const exitMissed = 1;
const exitUsage = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(rawArguments: readonly string[]): Promise<number> {
  const options = optionsOrUsage(rawArguments);
  if (options === undefined) return exitUsage;
  const measurements = await withBench(options, async (bench) => {
    const tee = compileTee(bench.scratch);
    return runLoads({ ...bench, tee }, await describeMachine(tee));
  });
  return measurements.some(({ verdicts }) => verdicts.some(isMissed)) ? exitMissed : 0;
}

function optionsOrUsage(rawArguments: readonly string[]): Options | undefined {
  try {
    const options = parseOptions(rawArguments, loadNames());
    const missing = [options.meter, options.against].find(
      (file) => file !== undefined && !existsSync(file),
    );
    if (missing === undefined) return options;
    console.error(
      `Cannot measure "${missing}": it does not exist; bun run build makes dist/mcp-meter`,
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(`\n${usage}`);
  }
  return undefined;
}

/** One after the other; each is printed, and written if requested, as soon as it is done. */
async function runLoads(bench: Bench, machine: string): Promise<readonly Measurement[]> {
  if (!bench.json) console.log(`_${machine}_\n`);
  const names = bench.names.length > 0 ? bench.names : defaultNames(bench.quick);
  const measurements: Measurement[] = [];
  for (const name of names) {
    const measurement = await measure(bench, name);
    measurements.push(measurement);
    if (!bench.json) console.log(`## ${name}\n\n${renderMeasurement(measurement)}\n`);
    if (bench.write && measurement.rows.length > 0)
      await writeFigures(measurement, machine, bench.quick);
  }
  if (bench.json) {
    console.log(JSON.stringify({ date: today(), machine, quick: bench.quick, measurements }));
  }
  return measurements;
}

/** A load that fails is a missed goal: the others still run. */
async function measure(bench: Bench, name: string): Promise<Measurement> {
  const load = loads.get(name);
  try {
    if (load === undefined) throw new Error(`Cannot run "${name}": it is not a benchmark`);
    return await load.run(bench);
  } catch (error) {
    console.error(stderrTail(bench), error);
    const measured = error instanceof Error ? error.message : String(error);
    const verdicts = [{ goal: "runs to its end", measured, passed: false }];
    return { load: name, caption: "It failed.", columns: [], rows: [], verdicts };
  }
}

async function writeFigures(
  measurement: Measurement,
  machine: string,
  quick: boolean,
): Promise<void> {
  const provenance = `${today()}, ${machine}${quick ? "; quick run" : ""}`;
  const { markdown, drawing } = writeOut(measurement, provenance);
  await Bun.write(join(dirname(documentFile), drawing.path), drawing.svg);
  const document = await Bun.file(documentFile).text();
  await Bun.write(documentFile, replaceFigures(document, measurement.load, markdown));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
