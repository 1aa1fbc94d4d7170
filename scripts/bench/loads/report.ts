/** A report over a gigabyte of records, beside other programs that group the same records once. */
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { installDuckDb } from "../duckdb.ts";
import { interleave } from "../interleave.ts";
import type { Measurement, Verdict } from "../measurement.ts";
import { makeRecords } from "../report-records.ts";
import { median } from "../statistics.ts";
import { atLeast, atMost, exactly, stretch } from "../verdict.ts";

const sessions = 3_000;
const quickSessions = 300;
const rounds = 3;
const bytesPerMb = 1e6;
/** For three thousand sessions or a gigabyte: a goal for processor time, since wall time depends on other programs. */
const secondsMax = 5;
const peakMbMax = 200;
const jqTimesMin = 4;

/** A program that reads all records; most of them print the tokens of each server. */
type Grouping = {
  readonly name: string;
  readonly isOurs: boolean;
  readonly command: (folder: string) => readonly string[];
  /** Tokens by server in its output; undefined for a program that prints none. */
  readonly tokensIn: (output: string) => Readonly<Record<string, number>> | undefined;
};

type Run = {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
  readonly tokens: Readonly<Record<string, number>> | undefined;
};

const jqGrouping = `reduce (inputs | select(.type == "call")) as $call ({}; .[$call.server] += $call.total_tokens)`;

/** The groupings that can run here: `jq` where it is installed, DuckDB where its package can be. */
async function groupings({ meter, scratch }: Bench): Promise<readonly Grouping[]> {
  const jq = Bun.which("jq");
  const duckDb = await installDuckDb(join(scratch, "duckdb"));
  const report = (
    name: string,
    ...options: string[]
  ): Pick<Grouping, "name" | "isOurs" | "command"> => ({
    name: `mcp-meter, ${name}`,
    isOurs: true,
    command: (folder) => [meter, "report", folder, "--json", ...options],
  });
  const replayed = ["read_file_*=1k:truncate", "all=500k/day"];
  return [
    { ...report("by server", "--by", "server"), tokensIn: tokensByServer },
    { ...report("by day and tool", "--by", "day", "--by", "tool"), tokensIn: tokensByServer },
    { ...report("advice", "--advice"), tokensIn: () => undefined },
    {
      ...report("two budgets replayed", ...replayed.flatMap((budget) => ["--what-if", budget])),
      tokensIn: () => undefined,
    },
    ...(jq === null ? [] : [other("jq", piped(`"${jq}" -n '${jqGrouping}'`), parsed)]),
    ...(duckDb === undefined ? [] : [other("DuckDB", queried(duckDb), duckDbTokens)]),
  ];
}

function other(
  name: string,
  command: Grouping["command"],
  tokensIn: Grouping["tokensIn"],
): Grouping {
  return { name, isOurs: false, command, tokensIn };
}

/** All files in one pipe, as a person would run it. */
function piped(program: string): Grouping["command"] {
  const line = `find "$1" -name '*.ndjson' -exec cat {} + | ${program}`;
  return (folder) => ["sh", "-c", line, "sh", folder];
}

function queried(program: string): Grouping["command"] {
  return (folder) => [process.execPath, program, join(folder, "**", "*.ndjson")];
}

function parsed(output: string): Readonly<Record<string, number>> {
  return JSON.parse(output) as Record<string, number>;
}

function duckDbTokens(output: string): Readonly<Record<string, number>> {
  const rows = JSON.parse(output) as readonly { server: string; tokens: number }[];
  return Object.fromEntries(rows.map(({ server, tokens }) => [server, tokens]));
}

function tokensByServer(output: string): Readonly<Record<string, number>> {
  type Row = { readonly server: string; readonly total_tokens: number };
  type Report = {
    readonly blocks: readonly { readonly tables: readonly { readonly rows: readonly Row[] }[] }[];
  };
  const { blocks } = JSON.parse(output) as Report;
  const tokens: Record<string, number> = {};
  for (const row of blocks.flatMap(({ tables }) => tables.flatMap(({ rows }) => rows))) {
    tokens[row.server] = (tokens[row.server] ?? 0) + row.total_tokens;
  }
  return tokens;
}

/** All groupings take turns over the same files, which are in the cache of the system. */
export async function benchReport(bench: Bench): Promise<Measurement> {
  const count = bench.quick ? quickSessions : sessions;
  const made = makeRecords(join(bench.scratch, "records"), count);
  const megabytes = made.bytes / bytesPerMb;
  const series = await interleave(await groupings(bench), bench.quick ? 1 : rounds, (grouping) =>
    run(grouping, made.folder, bench),
  );
  const all = series.map(({ contestant: { name, isOurs }, samples }) => ({
    name,
    isOurs,
    samples,
  }));
  return {
    load: "report",
    caption: `Tokens grouped over ${count} sessions, ${Math.round(megabytes)} MB of records in as many files; ${bench.quick ? 1 : rounds} runs each, taking turns.`,
    columns: ["wall", "processor", "peak memory", "records"],
    rows: all.map(({ name, samples }) => ({
      contestant: name,
      figures: [
        { value: middle(samples, "seconds"), unit: "s" },
        { value: middle(samples, "processorSeconds"), unit: "s" },
        { value: middle(samples, "peakMb"), unit: "MB" },
        { value: megabytes / middle(samples, "seconds"), unit: "MB/s" },
      ],
    })),
    verdicts: judge(all, bench.quick ? quickSessions / sessions : 1),
  };
}

type Contender = {
  readonly name: string;
  readonly isOurs: boolean;
  readonly samples: readonly Run[];
};

function judge(all: readonly Contender[], part: number): Verdict[] {
  const [first] = all;
  if (!first) return [];
  const [tokens] = first.samples.map((sample) => sample.tokens);
  const differing = all.filter(({ samples }) =>
    samples.some((sample) => sample.tokens && !Bun.deepEquals(sample.tokens, tokens)),
  );
  return [
    ...all
      .filter(({ isOurs }) => isOurs)
      .flatMap(({ name, samples }) => [
        atMost(`${name}: processor`, middle(samples, "processorSeconds"), secondsMax * part, "s"),
        stretch(atMost(`${name}: wall`, middle(samples, "seconds"), secondsMax * part, "s")),
        atMost(`${name}: peak memory`, middle(samples, "peakMb"), peakMbMax, "MB"),
      ]),
    ...all
      .filter(({ name }) => name === "jq")
      .map(({ samples }) => {
        const what = "processor time of jq against ours";
        return atLeast(what, ratio(samples, first.samples), jqTimesMin, "×");
      }),
    exactly("programs with other sums", differing.length, 0),
  ];
}

/** The median over rounds: a disturbance that hits a round hits both. */
function ratio(samples: readonly Run[], ours: readonly Run[]): number {
  return median(
    samples.map(
      ({ processorSeconds }, at) => processorSeconds / (ours[at]?.processorSeconds ?? Number.NaN),
    ),
  );
}

function middle(
  samples: readonly Run[],
  figure: "seconds" | "processorSeconds" | "peakMb",
): number {
  return median(samples.map((sample) => sample[figure]));
}

async function run(grouping: Grouping, folder: string, bench: Bench): Promise<Run> {
  const startedMs = performance.now();
  const child = Bun.spawn([...grouping.command(folder)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: bench.stderr,
    env: { ...bench.env },
  });
  const output = await new Response(child.stdout).text();
  const code = await child.exited;
  if (code !== 0) throw new Error(`Cannot measure ${grouping.name}: it ended with ${code}`);
  const used = child.resourceUsage();
  return {
    seconds: (performance.now() - startedMs) / 1000,
    processorSeconds: Number(used?.cpuTime.total ?? Number.NaN) / 1e6,
    peakMb: (used?.maxRSS ?? Number.NaN) / bytesPerMb,
    tokens: grouping.tokensIn(output),
  };
}
