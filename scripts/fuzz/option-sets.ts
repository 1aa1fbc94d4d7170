export type ParsedBudget = {
  readonly spec: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: string;
  readonly action: string;
};

export type CounterName = "chars3" | "chars4" | "o200k";

export type OptionSet = {
  readonly name: string;
  readonly budgets: readonly ParsedBudget[];
  readonly counter: CounterName;
  readonly profile: "content-first" | "structured-first";
  readonly flags: string;
  readonly isGating: boolean;
  readonly isAnnotating: boolean;
  readonly isDelaying: boolean;
  readonly isLocked: boolean;
  readonly log: "state" | "file" | "off";
  readonly sessions: number;
};

function makeSet(
  name: string,
  budgets: readonly string[] = [],
  overrides: Partial<OptionSet> = {},
): OptionSet {
  return {
    name,
    budgets: budgets.map(parseBudget),
    counter: "chars3",
    profile: "content-first",
    flags: "",
    isGating: true,
    isAnnotating: false,
    isDelaying: false,
    isLocked: false,
    log: "state",
    sessions: 1,
    ...overrides,
  };
}

function parseBudget(spec: string): ParsedBudget {
  const [, tool = null, limit, calls, per = "", action = ""] =
    /^(?:(.+)=)?(\d+)(calls)?\/(\w+):(\w+)$/.exec(spec) ?? [];
  return { spec, tool, limit: Number(limit), unit: calls ?? "tokens", per, action } as ParsedBudget;
}

const claude = "--as-client claude-code --model gpt-5";
const several = "--annotate --max-repeats 3 --warn-at 50";

export const optionSets: readonly OptionSet[] = [
  makeSet("plain", [], { isGating: false }),
  makeSet("call", ["400/call:error"]),
  makeSet("session", ["2000/session:error"]),
  makeSet("tools", ["alpha=150/call:error", "tool_*=900/session:error"]),
  makeSet("calls", ["*=5calls/session:error"]),
  makeSet("truncate", ["250/call:truncate"]),
  makeSet("truncate-session", ["2000/session:truncate"]),
  makeSet("spill", ["300/call:spill"]),
  makeSet("throttle", ["*=3calls/minute:throttle"], { isDelaying: true }),
  makeSet("warn", ["100/call:warn", "1000/session:warn"], { isGating: false }),
  makeSet("day", ["3000/day:error"], { sessions: 4 }),
  makeSet("day-cut", ["*=1200/day:truncate"], { sessions: 3 }),
  makeSet("annotate", [], { isGating: false, isAnnotating: true, flags: "--annotate" }),
  makeSet("lock", [], { isLocked: true, flags: "--lock {lock} --enforce-lock" }),
  makeSet("repeats", [], { flags: "--max-repeats 2" }),
  // Random long answers never equal each other, so each arrives unchanged.
  makeSet("notes", [], { isGating: false, flags: "--repeat note" }),
  makeSet("chars4", ["1500/session:error"], { counter: "chars4" }),
  makeSet("exact", ["1500/session:error"], { counter: "o200k" }),
  makeSet("client", ["1500/session:error"], { profile: "structured-first", flags: claude }),
  makeSet("rpc", ["500/call:error", "3000/session:error"], { flags: "--error-form rpc" }),
  makeSet(
    "several",
    [
      "alpha=300/call:error",
      "tool_*=1000/session:truncate",
      "12calls/session:error",
      "6000/session:warn",
    ],
    { isAnnotating: true, flags: several },
  ),
  makeSet("log-off", ["2000/session:error"], { log: "off", flags: "--log off" }),
  makeSet("log-file", ["400/call:error"], {
    log: "file",
    flags: "--log {dir}/calls.ndjson --log-fsync",
  }),
];

export function findOptionSet(name: string): OptionSet {
  const found = optionSets.find((set) => set.name === name);
  if (found) return found;
  const names = optionSets.map((set) => set.name).join(", ");
  throw new Error(`Cannot find the option set "${name}"; use one of ${names}`);
}

export function makeFlags(set: OptionSet, dir: string, lock: string): readonly string[] {
  const budgets = set.budgets.flatMap(({ spec }) => ["--budget", spec]);
  const flags = set.flags.split(" ").filter((flag) => flag !== "");
  const summary = ["--summary", "json", "--summary-file", `${dir}/summary.json`];
  return ["--tokenizer", set.counter, ...budgets, ...flags, ...summary].map((flag) =>
    flag.replace("{dir}", dir).replace("{lock}", lock),
  );
}
