/** The local page over a hundred thousand and a million calls: its first view, its screens and its memory. */
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import type { Measurement, Verdict } from "../measurement.ts";
import { peakResidentMb, residentMb } from "../procfs.ts";
import { makeRecords } from "../report-records.ts";
import { atMost } from "../verdict.ts";

/** Of 330 calls each. */
const sizes = [300, 3_000] as const;
const viewSecondsMax = 1;
const peakMbMax = 150;
const screens = ["overview", "definitions", "trend", "tool&server=github&tool=github_tool_1"];

type Run = {
  readonly calls: number;
  /** From the start of the program until all records are in its numbers. */
  readonly foldSeconds: number;
  /** The slowest screen after that. */
  readonly viewSeconds: number;
  readonly restMb: number;
  readonly peakMb: number;
};

/** The page at each size, once. */
export async function benchDash(bench: Bench): Promise<Measurement> {
  const runs: Run[] = [];
  for (const sessions of bench.quick ? sizes.slice(0, 1) : sizes) {
    const state = join(bench.scratch, `dash-${sessions}`);
    makeRecords(join(state, "mcp-meter", "sessions"), sessions);
    runs.push(await run(state, bench));
  }
  return {
    load: "dash",
    caption:
      "The page of `mcp-meter dash`: from its start until all records are in its numbers, then each screen once.",
    columns: ["all records", "slowest screen", "memory after", "peak memory"],
    rows: runs.map(({ calls, foldSeconds, viewSeconds, restMb, peakMb }) => ({
      contestant: `${calls.toLocaleString("en")} calls`,
      figures: [
        { value: foldSeconds, unit: "s" },
        { value: viewSeconds, unit: "s" },
        { value: restMb, unit: "MB" },
        { value: peakMb, unit: "MB" },
      ],
    })),
    verdicts: judge(runs),
  };
}

/** Between two views that say whether all records are read. */
const pollMs = 1_000;

/** Promised for a hundred thousand calls. */
function judge([small]: readonly Run[]): Verdict[] {
  if (!small) return [];
  return [
    atMost("slowest screen, 100,000 calls", small.viewSeconds, viewSecondsMax, "s"),
    atMost("peak memory, 100,000 calls", small.peakMb, peakMbMax, "MB"),
  ];
}

async function run(state: string, bench: Bench): Promise<Run> {
  const startedMs = performance.now();
  const child = Bun.spawn([bench.meter, "dash", "--since", "60d", "--timezone", "UTC"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: bench.stderr,
    env: { ...bench.env, XDG_STATE_HOME: state },
  });
  try {
    const page = await Page.open(child.stdout);
    const calls = await page.allCalls();
    const foldSeconds = (performance.now() - startedMs) / 1_000;
    const times: number[] = [];
    for (const screen of screens) {
      const askedMs = performance.now();
      await page.view(screen);
      times.push((performance.now() - askedMs) / 1_000);
    }
    const [restMb = Number.NaN, peakMb = Number.NaN] = [
      residentMb(child.pid),
      peakResidentMb(child.pid),
    ];
    return { calls, foldSeconds, viewSeconds: Math.max(...times), restMb, peakMb };
  } finally {
    child.kill();
    await child.exited;
  }
}

type AnyView = {
  readonly head: {
    readonly notes: readonly string[];
    readonly totals: { readonly calls: number } | null;
  };
};

/** The page as a program uses it. */
class Page {
  readonly #origin: string;
  readonly #cookie: string;

  private constructor(origin: string, cookie: string) {
    this.#origin = origin;
    this.#cookie = cookie;
  }

  static async open(stdout: ReadableStream<Uint8Array>): Promise<Page> {
    const { value } = await stdout.getReader().read();
    const url = new TextDecoder().decode(value).trim();
    const entry = await fetch(url);
    const cookie = entry.headers.get("set-cookie")?.replace(/;.*/, "") ?? "";
    return new Page(new URL(url).origin, cookie);
  }

  async view(screen: string): Promise<AnyView> {
    const address = `${this.#origin}/api/view?period=all&screen=${screen}`;
    const answer = await fetch(address, { headers: { cookie: this.#cookie } });
    return (await answer.json()) as AnyView;
  }

  /** Waits until all records are read; the number of their calls. */
  async allCalls(): Promise<number> {
    for (;;) {
      const { head } = await this.view("overview");
      if (head.notes.length === 0 && head.totals !== null) return head.totals.calls;
      await Bun.sleep(pollMs);
    }
  }
}
