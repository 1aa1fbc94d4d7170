import { existsSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Bench, type Options, stderrTail, withBench } from "./bench.ts";
import { isMissed, type Measurement, renderMeasurement, replaceFigures } from "./figures.ts";
import { runCommand } from "../run-command.ts";
import { benchBulk, benchPipelined } from "./loads/bursts.ts";
import { benchCounters } from "./loads/counters.ts";
import { benchFloods } from "./loads/floods.ts";
import { benchHttp } from "./loads/http.ts";
import { benchImport } from "./loads/imports.ts";
import { benchReport } from "./loads/readers.ts";
import { benchRoundTrip } from "./loads/round-trip.ts";
import { benchStart } from "./loads/start.ts";
import { benchTokenizers } from "./loads/tokenizers.ts";
import { compileTee } from "./processes.ts";

const root = join(import.meta.dir, "../..");
const documentFile = join(root, "docs/benchmarks.md");
const exitMissed = 1;

type Load = {
  readonly run: (bench: Bench) => Promise<Measurement>;
  /** True if `--quick` runs it when no names are given; the others take a minute even then. */
  readonly isShort: boolean;
  readonly supportsAgainst: boolean;
};

const loads: ReadonlyMap<string, Load> = new Map([
  // First, because the peak memory of a child includes that of this process, which other loads make large.
  ["report", { run: benchReport, isShort: false, supportsAgainst: false }],
  ["import", { run: benchImport, isShort: false, supportsAgainst: false }],
  ["start", { run: benchStart, isShort: true, supportsAgainst: true }],
  ["round-trip", { run: benchRoundTrip, isShort: true, supportsAgainst: true }],
  ["pipelined", { run: benchPipelined, isShort: true, supportsAgainst: true }],
  ["bulk", { run: benchBulk, isShort: true, supportsAgainst: true }],
  ["http", { run: benchHttp, isShort: true, supportsAgainst: true }],
  ["floods", { run: benchFloods, isShort: true, supportsAgainst: true }],
  ["counters", { run: benchCounters, isShort: true, supportsAgainst: false }],
  ["tokenizers", { run: benchTokenizers, isShort: false, supportsAgainst: false }],
]);

const usage = `bun scripts/bench/main.ts [names…] [options]

  names           ${[...loads.keys()].join(", ")}; all by default
  --quick         fewer rounds; without names, only the short loads
  --write         put the figures into docs/benchmarks.md
  --meter FILE    the executable to measure, dist/mcp-meter by default
  --against FILE  an older executable that takes part too; only the loads that support it
  --help          this text`;

process.exitCode = await runCommand(usage, (rawArguments) => runAll(parseOptions(rawArguments)));

function parseOptions(rawArguments: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...rawArguments],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      meter: { type: "string", default: join(root, "dist/mcp-meter") },
      against: { type: "string" },
    },
  });
  const { against, meter, quick } = values;
  const missing = [meter, against].find((file) => file !== undefined && !existsSync(file));
  if (missing !== undefined)
    throw new Error(`Cannot measure "${missing}": it does not exist; bun run build makes it`);
  return {
    ...values,
    names: chooseLoads(positionals, quick, against !== undefined),
    meter: resolve(meter),
    against: against === undefined ? undefined : resolve(against),
  };
}

function chooseLoads(
  names: readonly string[],
  isQuick: boolean,
  isComparing: boolean,
): readonly string[] {
  const able = [...loads].filter(([, { supportsAgainst }]) => supportsAgainst || !isComparing);
  const unable = names.find((name) => !able.some(([known]) => known === name));
  if (unable !== undefined) {
    const why = loads.has(unable) ? "--against works with" : "the benchmarks are";
    throw new Error(`Cannot run "${unable}": ${why} ${able.map(([name]) => name).join(", ")}`);
  }
  if (names.length > 0) return names;
  return able.filter(([, { isShort }]) => isShort || !isQuick).map(([name]) => name);
}

async function runAll(options: Options): Promise<number> {
  return withBench(options, async (scratched) => {
    const bench = { ...scratched, tee: compileTee(scratched.scratch) };
    const provenance = describeRun(bench);
    console.log(`${provenance}\n`);
    let hasMissed = false;
    for (const name of bench.names) {
      const measurement = await measure(bench, name);
      const rendered = renderMeasurement(measurement);
      console.log(`## ${name}\n\n${rendered}\n`);
      hasMissed ||= measurement.verdicts.some(isMissed);
      if (!bench.write || measurement.rows.length === 0) continue;
      const document = await Bun.file(documentFile).text();
      await Bun.write(documentFile, replaceFigures(document, name, `${provenance}\n\n${rendered}`));
    }
    return hasMissed ? exitMissed : 0;
  });
}

async function measure(bench: Bench, name: string): Promise<Measurement> {
  try {
    const load = loads.get(name);
    if (load === undefined) throw new Error(`"${name}" is not a benchmark`);
    return await load.run(bench);
  } catch (error) {
    console.error(stderrTail(bench), error);
    const measured = error instanceof Error ? error.message : String(error);
    const verdicts = [{ goal: "runs to its end", measured, passed: false }];
    return { caption: "It failed.", columns: [], rows: [], verdicts };
  }
}

function describeRun({ tee, quick }: Bench): string {
  const node = Bun.spawnSync(["node", "--version"]).stdout.toString().trim();
  const facts = [
    new Date().toISOString().slice(0, 10),
    cpus()[0]?.model.trim() ?? "unknown processor",
    `${cpus().length} cores`,
    `${(totalmem() / 1e9).toFixed(1)} GB`,
    `Linux ${release().split(".").slice(0, 2).join(".")}`,
    `Bun ${Bun.version}`,
    `Node ${node.replace("v", "")}`,
    ...(tee === undefined ? ["no C compiler, so no C tee"] : []),
    `load ${loadavg()[0]?.toFixed(1)} before the run`,
  ];
  return `_${facts.join(", ")}${quick ? "; quick run" : ""}_`;
}
