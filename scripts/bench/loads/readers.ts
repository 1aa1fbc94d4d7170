import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import {
  atLeast,
  atMost,
  exactly,
  interleave,
  type Measurement,
  median,
  medianRatio,
  stretch,
  type Verdict,
} from "../figures.ts";

const rounds = 3;
export const bytesPerMb = 1e6;
const peakMbMax = 200;
const reportSessions = 3_000;
const quickShare = 0.1;
const reportSecondsMax = 5;
const jqTimesMin = 4;

export type Reader = {
  readonly name: string;
  readonly isOurs: boolean;
  readonly command: readonly string[];
  readonly readResult?: (output: string) => unknown;
};

type Run = {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
  readonly result: unknown;
};

export type Read = Reader & { readonly samples: readonly Run[] };

export async function takeTurns(
  bench: Bench,
  readers: readonly Reader[],
  megabytes: number,
): Promise<{ readonly all: readonly Read[]; readonly rows: Measurement["rows"] }> {
  const times = bench.quick ? 1 : rounds;
  const series = await interleave(readers, times, (reader) => run(reader, bench));
  const all = series.map(({ contestant, samples }) => ({ ...contestant, samples }));
  const rows = all.map(({ name, samples }) => ({
    contestant: name,
    figures: [
      { value: middle(samples, "seconds"), unit: "s" },
      { value: middle(samples, "processorSeconds"), unit: "s" },
      { value: middle(samples, "peakMb"), unit: "MB" },
      { value: megabytes / middle(samples, "seconds"), unit: "MB/s" },
    ] as const,
  }));
  return { all, rows };
}

async function run({ name, command, readResult }: Reader, bench: Bench): Promise<Run> {
  const startedMs = performance.now();
  const child = Bun.spawn([...command], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: bench.stderr,
    env: { ...bench.env },
  });
  const output = await new Response(child.stdout).text();
  const code = await child.exited;
  if (code !== 0) throw new Error(`Cannot measure ${name}: it ended with ${code}`);
  const used = child.resourceUsage();
  return {
    seconds: (performance.now() - startedMs) / 1000,
    processorSeconds: Number(used?.cpuTime.total ?? Number.NaN) / 1e6,
    peakMb: (used?.maxRSS ?? Number.NaN) / bytesPerMb,
    result: readResult?.(output),
  };
}

function judge({ name, samples }: Read, secondsMax: number): readonly Verdict[] {
  return [
    atMost(`${name}: processor`, middle(samples, "processorSeconds"), secondsMax, "s"),
    stretch(atMost(`${name}: wall`, middle(samples, "seconds"), secondsMax, "s")),
    atMost(`${name}: peak memory`, middle(samples, "peakMb"), peakMbMax, "MB"),
  ];
}

export function middle(
  samples: readonly Run[],
  figure: "seconds" | "processorSeconds" | "peakMb",
): number {
  return median(samples.map((sample) => sample[figure]));
}

/** Another process writes them, because the peak memory of a child includes that of its parent at the fork. */
export function makeFiles(
  kind: "records" | "dense" | "small",
  folder: string,
  sessions: number,
): number {
  const program = join(import.meta.dir, "histories.ts");
  const { stdout } = Bun.spawnSync([process.execPath, program, kind, folder, String(sessions)]);
  return Number(stdout.toString()) / bytesPerMb;
}

export const columns = ["wall", "processor", "peak memory"];

export async function benchReport(bench: Bench): Promise<Measurement> {
  const share = bench.quick ? quickShare : 1;
  const folder = join(bench.scratch, "records");
  const megabytes = makeFiles("records", folder, reportSessions * share);
  const { all, rows } = await takeTurns(bench, listGroupings(bench, folder), megabytes);
  const [first] = all;
  const tokens = first?.samples[0]?.result;
  const differing = all.filter(({ samples }) =>
    samples.some(({ result }) => result !== undefined && !Bun.deepEquals(result, tokens)),
  );
  return {
    caption: `Tokens grouped over ${reportSessions * share} sessions, ${Math.round(megabytes)} MB of records in as many files; ${first?.samples.length} runs each, taking turns.`,
    columns: [...columns, "records"],
    rows,
    verdicts: [
      ...all
        .filter(({ isOurs }) => isOurs)
        .flatMap((read) => judge(read, reportSecondsMax * share)),
      ...all
        .filter(({ name }) => name === "jq")
        .map(({ samples }) => {
          const ours = first?.samples.map(({ processorSeconds }) => processorSeconds) ?? [];
          const jqs = samples.map(({ processorSeconds }) => processorSeconds);
          const what = "processor time of jq against ours";
          return atLeast(what, medianRatio(jqs, ours), jqTimesMin, "×");
        }),
      exactly("programs with other sums", differing.length, 0),
    ],
  };
}

function listGroupings({ meter, scratch }: Bench, folder: string): readonly Reader[] {
  const report = (name: string, ...options: string[]) => ({
    name: `mcp-meter, ${name}`,
    isOurs: true,
    command: [meter, "report", folder, "--json", ...options],
  });
  const replayed = ["read_file_*=1k:truncate", "all=500k/day"];
  return [
    { ...report("by server", "--by", "server"), readResult: readReport },
    { ...report("by day and tool", "--by", "day", "--by", "tool"), readResult: readReport },
    report("advice", "--advice"),
    report("two budgets replayed", ...replayed.flatMap((budget) => ["--what-if", budget])),
    ...(Bun.which("jq") === null ? [] : [makeJqReader(folder)]),
    makeDuckDbReader(folder, join(scratch, "group.sql")),
  ];
}

function makeJqReader(folder: string): Reader {
  const filter = `reduce (inputs | select(.type == "call")) as $call ({}; .[$call.server] += $call.total_tokens)`;
  const pipe = `find "$1" -name '*.ndjson' -exec cat {} + | jq -n '${filter}'`;
  const command = ["sh", "-c", pipe, "sh", folder];
  return { name: "jq", isOurs: false, command, readResult: (output) => JSON.parse(output) };
}

function makeDuckDbReader(folder: string, sql: string): Reader {
  const columnTypes = "{type: 'VARCHAR', server: 'VARCHAR', total_tokens: 'BIGINT'}";
  writeFileSync(
    sql,
    `SELECT server, sum(total_tokens)::DOUBLE AS total_tokens
     FROM read_ndjson('${folder}/**/*.ndjson', columns=${columnTypes})
     WHERE type = 'call' GROUP BY server`,
  );
  const program = join(import.meta.dir, "../../../test/support/duckdb.ts");
  const command = [process.execPath, program, sql];
  return {
    name: "DuckDB",
    isOurs: false,
    command,
    readResult: (output) => addUp(JSON.parse(output)),
  };
}

type Row = { readonly server: string; readonly total_tokens: number };

function readReport(output: string): Readonly<Record<string, number>> {
  type Table = { readonly rows: readonly Row[] };
  const report: { readonly blocks: readonly { readonly tables: readonly Table[] }[] } =
    JSON.parse(output);
  return addUp(report.blocks.flatMap(({ tables }) => tables.flatMap(({ rows }) => rows)));
}

function addUp(rows: readonly Row[]): Readonly<Record<string, number>> {
  const tokens: Record<string, number> = {};
  for (const { server, total_tokens } of rows) {
    tokens[server] = (tokens[server] ?? 0) + total_tokens;
  }
  return tokens;
}
