import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { atMost, exactly, type Measurement, medianRatio, type Verdict } from "../figures.ts";
import { countInput, logShapes } from "./histories.ts";
import {
  bytesPerMb,
  columns,
  makeFiles,
  middle,
  type Read,
  type Reader,
  takeTurns,
} from "./readers.ts";

const quickShare = 0.1;

const root = join(import.meta.dir, "../../..");

const ccusage = join(root, "node_modules/@ccusage/ccusage-linux-x64/bin/ccusage");

const tokscale = join(root, "node_modules/@tokscale/cli-linux-x64-gnu/bin/tokscale");

const goals = {
  timesWithoutTokens: 6,
  timesWithTokens: 18,
  againSeconds: 0.3,
  againSecondsPerFile: 0.001,
  peakMb: 300,
  stateShare: 0.1,
};

const kinds = [
  { kind: "dense", sessions: 66, title: "long sessions full of MCP calls" },
  { kind: "small", sessions: 3_400, title: "short sessions" },
] as const;

type History = {
  readonly kind: "dense" | "small";
  readonly home: string;
  readonly state: string;
  readonly sessions: number;
  readonly inputTokens: number;
  readonly megabytes: number;
};

/** Measures first imports with and without tokens, and a second one, beside programs that only sum up usage. */
export async function benchImport(bench: Bench): Promise<Measurement> {
  const measured: Measurement[] = [];
  for (const { kind, sessions, title } of kinds) {
    const count = Math.ceil(sessions * (bench.quick ? quickShare : 1));
    measured.push(await measureHistory(bench, makeHistory(bench, kind, count), title));
  }
  return {
    caption: `${measured.map(({ caption }) => caption).join("; ")}. Runs take turns.`,
    columns: [...columns, "logs"],
    rows: measured.flatMap(({ rows }) => rows),
    verdicts: measured.flatMap(({ verdicts }) => verdicts),
  };
}

async function measureHistory(bench: Bench, history: History, title: string): Promise<Measurement> {
  const { kind, sessions, megabytes } = history;
  const { all, rows } = await takeTurns(bench, listReaders(bench, history), megabytes);
  return {
    caption: `${sessions} ${title}, ${Math.round(megabytes)} MB`,
    columns,
    rows: rows.map((row) => ({ ...row, contestant: `${kind}: ${row.contestant}` })),
    verdicts: judgeImports(history, all).map((verdict) => ({
      ...verdict,
      goal: `${kind}: ${verdict.goal}`,
    })),
  };
}

function judgeImports(history: History, all: readonly Read[]): readonly Verdict[] {
  const { sessions, megabytes, inputTokens, state } = history;
  const find = (name: string) => all.find((read) => read.name === name)?.samples ?? [];
  const readTimes = (name: string) => find(name).map(({ seconds }) => seconds);
  const compare = (name: string, timesMax: number) => {
    const times = medianRatio(readTimes(name), readTimes("ccusage"));
    return atMost(`${name}, time of ccusage`, times, timesMax, "×");
  };
  const samples = all.flatMap((read) => read.samples);
  const wrong = samples.filter(({ result }) => result !== inputTokens);
  const againSecondsMax = goals.againSeconds + goals.againSecondsPerFile * sessions;
  const stateShare = measureFolder(state) / bytesPerMb / megabytes;
  return [
    exactly("runs with other totals", wrong.length, 0),
    ...(find("ccusage").length === 0
      ? []
      : [
          compare("without tokens", goals.timesWithoutTokens),
          compare("with tokens", goals.timesWithTokens),
        ]),
    atMost("again", middle(find("again"), "seconds"), againSecondsMax, "s"),
    atMost("peak memory", middle(find("with tokens"), "peakMb"), goals.peakMb, "MB"),
    atMost("state, of the logs", stateShare, goals.stateShare, "×"),
  ];
}

function makeHistory({ scratch }: Bench, kind: "dense" | "small", sessions: number): History {
  const home = join(scratch, `history-${kind}`);
  const megabytes = makeFiles(kind, home, sessions);
  const state = join(scratch, `state-${kind}`);
  const turns = sessions * logShapes[kind].turns;
  const inputTokens = Array.from({ length: turns }, (_, turn) => countInput(turn)).reduce(
    (a, b) => a + b,
    0,
  );
  return { kind, home, state, sessions, megabytes, inputTokens };
}

function listReaders({ meter }: Bench, { home, state }: History): readonly Reader[] {
  const importLogs = (name: string, before: string, option: string = ""): Reader => ({
    name,
    isOurs: true,
    command: [
      "sh",
      "-c",
      `${before}exec env XDG_STATE_HOME="$1" "$2" import claude-code --from "$3" ${option}`,
      "sh",
      state,
      meter,
      home,
    ],
    readResult: readInputTokens,
  });
  const removeState = 'rm -rf "$1"; ';
  return [
    importLogs("without tokens", removeState, "--no-tokens"),
    importLogs("with tokens", removeState),
    importLogs("again", ""),
    ...listOthers(home),
  ];
}

function listOthers(home: string): readonly Reader[] {
  const start = 'HOME="$1" exec "$0" ';
  const others: readonly Reader[] = [
    {
      name: "ccusage",
      isOurs: false,
      command: ["sh", "-c", `${start} daily --offline --json`, ccusage, home],
      readResult(output) {
        const { totals } = JSON.parse(output);
        return totals.inputTokens + totals.cacheCreationTokens + totals.cacheReadTokens;
      },
    },
    {
      name: "tokscale",
      isOurs: false,
      command: ["sh", "-c", `${start} models --json --no-spinner --client claude`, tokscale, home],
      readResult(output) {
        const { totalInput, totalCacheRead, totalCacheWrite } = JSON.parse(output);
        return totalInput + totalCacheRead + totalCacheWrite;
      },
    },
  ];
  const installed = others.filter(({ command }) => existsSync(command[3] ?? ""));
  // Their packages leave this to an install script.
  for (const { command } of installed) chmodSync(command[3] ?? "", 0o755);
  return installed;
}

function readInputTokens(output: string): number | undefined {
  const lines = output.split("\n");
  const heads = lines.find((line) => /^client\b.*\binput tokens\b/.test(line)) ?? "";
  const row = lines.find((line) => line.startsWith("Claude Code")) ?? "";
  const end = heads.indexOf("input tokens") + "input tokens".length;
  const tokens = /[\d,]+$/.exec(row.slice(0, end))?.[0];
  return tokens === undefined ? undefined : Number(tokens.replaceAll(",", ""));
}

function measureFolder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
