/** An import of a gigabyte of Claude Code's history, next to a program that only parses each line. */
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { interleave } from "../interleave.ts";
import type { MadeHistory } from "../log-history.ts";
import type { Measurement, Verdict } from "../measurement.ts";
import { median } from "../statistics.ts";
import { atMost, exactly, stretch } from "../verdict.ts";

const sessions = 285;
const quickSessions = 28;
const rounds = 3;
const bytesPerMb = 1e6;
/** For a gigabyte: a goal for processor time, since wall time depends on other programs. */
const secondsMax = 10;
const peakMbMax = 200;
const turnsPerSession = 200;

type Contestant = {
  readonly name: string;
  readonly isOurs: boolean;
  readonly command: readonly string[];
  /** Requests to a model in its output; undefined for a program that prints none. */
  readonly requestsIn: (output: string) => number | undefined;
};

type Run = {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
  readonly requests: number | undefined;
};

/** Both take turns over the same files, which are in the cache of the system. */
export async function benchImport(bench: Bench): Promise<Measurement> {
  const count = bench.quick ? quickSessions : sessions;
  const times = bench.quick ? 1 : rounds;
  const made = historyOf(join(bench.scratch, "history"), count);
  const megabytes = made.bytes / bytesPerMb;
  const series = await interleave(contestants(bench, made), times, (one) => run(one, bench));
  const all = series.map(({ contestant, samples }) => ({ ...contestant, samples }));
  return {
    load: "import",
    caption: `${count} sessions of Claude Code, ${Math.round(megabytes)} MB; ${times} runs each, taking turns. Tokens are not counted and nothing is kept.`,
    columns: ["wall", "processor", "peak memory", "logs"],
    rows: all.map(({ name, samples }) => ({
      contestant: name,
      figures: [
        { value: middle(samples, "seconds"), unit: "s" },
        { value: middle(samples, "processorSeconds"), unit: "s" },
        { value: middle(samples, "peakMb"), unit: "MB" },
        { value: megabytes / middle(samples, "seconds"), unit: "MB/s" },
      ],
    })),
    verdicts: all.filter(({ isOurs }) => isOurs).flatMap((one) => judge(one.samples, count)),
  };
}

/** Made by a process of its own: the peak memory of a child has the memory of its parent at the start in it. */
function historyOf(home: string, count: number): MadeHistory {
  const program = join(import.meta.dir, "../log-history.ts");
  const { stdout } = Bun.spawnSync([process.execPath, program, home, String(count)]);
  return JSON.parse(stdout.toString()) as MadeHistory;
}

function contestants({ meter }: Bench, { home }: MadeHistory): readonly Contestant[] {
  const options = ["--from", home, "--no-tokens", "--log", "off"];
  return [
    {
      name: "mcp-meter import",
      isOurs: true,
      command: [meter, "import", "claude-code", ...options],
      requestsIn: requestsOf,
    },
    {
      name: "JSON.parse of each line",
      isOurs: false,
      command: [process.execPath, join(import.meta.dir, "../parse-lines.ts"), home],
      requestsIn: () => undefined,
    },
  ];
}

/** The number in the row of the client below the head `requests`. */
function requestsOf(output: string): number | undefined {
  const lines = output.split("\n");
  const heads = lines.find((line) => /^client\b.*\brequests\b/.test(line)) ?? "";
  const row = lines.find((line) => line.startsWith("Claude Code")) ?? "";
  const end = heads.indexOf("requests") + "requests".length;
  const requests = /[\d,]+$/.exec(row.slice(0, end))?.[0];
  return requests === undefined ? undefined : Number(requests.replaceAll(",", ""));
}

function judge(samples: readonly Run[], count: number): Verdict[] {
  const part = count / sessions;
  const wrong = samples.filter(({ requests }) => requests !== count * turnsPerSession);
  return [
    atMost("processor", middle(samples, "processorSeconds"), secondsMax * part, "s"),
    stretch(atMost("wall", middle(samples, "seconds"), secondsMax * part, "s")),
    atMost("peak memory", middle(samples, "peakMb"), peakMbMax, "MB"),
    exactly("imports with another number of requests", wrong.length, 0),
  ];
}

function middle(
  samples: readonly Run[],
  figure: "seconds" | "processorSeconds" | "peakMb",
): number {
  return median(samples.map((sample) => sample[figure]));
}

async function run({ name, command, requestsIn }: Contestant, bench: Bench): Promise<Run> {
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
    requests: requestsIn(output),
  };
}
