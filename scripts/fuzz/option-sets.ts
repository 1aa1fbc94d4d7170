/** A budget as an option set states it; its text for `--budget` follows from the parts. */
export type BudgetPart = {
  /** Name or pattern; null for the whole server. */
  readonly tool: string | null;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: "call" | "session" | "minute" | "day";
  readonly action: "error" | "truncate" | "spill" | "throttle" | "warn";
};

/** The way in which the fuzzer counts, independently of mcp-meter. */
export type CounterName = "chars3" | "chars4" | "o200k";

/** One way to start mcp-meter, and everything that an oracle must know about it. */
export type OptionSet = {
  readonly name: string;
  readonly about: string;
  readonly budgets: readonly BudgetPart[];
  readonly counter: CounterName;
  /** Parts of an answer that this client shows its model. */
  readonly profile: "content-first" | "structured-first";
  /** Further options; `{dir}` stands for the folder of the play, `{lock}` for a lock of the server. */
  readonly flags: readonly string[];
  /** True where requests may be refused. */
  readonly isGating: boolean;
  /** True where results contain their cost. */
  readonly isAnnotating: boolean;
  /** True where requests may be forwarded later than others. */
  readonly isDelaying: boolean;
  readonly isLocked: boolean;
  /** File of the records; undefined for none. */
  readonly log: "state" | "file" | undefined;
  /** Sessions that share a state folder. */
  readonly sessions: number;
};

const plain: OptionSet = {
  name: "plain",
  about: "no budget",
  budgets: [],
  counter: "chars3",
  profile: "content-first",
  flags: [],
  isGating: false,
  isAnnotating: false,
  isDelaying: false,
  isLocked: false,
  log: "state",
  sessions: 1,
};

const base: BudgetPart = {
  tool: null,
  limit: 400,
  unit: "tokens",
  per: "call",
  action: "error",
};

function gated(
  name: string,
  about: string,
  budgets: readonly BudgetPart[],
  rest: Partial<OptionSet> = {},
): OptionSet {
  return { ...plain, name, about, budgets, isGating: true, ...rest };
}

const session = { ...base, limit: 2_000, per: "session" } as const;
const day = { ...base, limit: 3_000, per: "day" } as const;
const someCalls = { ...base, limit: 5, unit: "calls", per: "session" } as const;

/** Every option set. */
export const optionSets: readonly OptionSet[] = [
  plain,
  gated("call", "a budget per call, which refuses", [base]),
  gated("session", "a budget per session", [session]),
  gated("tools", "budgets for some tools", [
    { ...base, tool: "alpha", limit: 150 },
    { ...session, tool: "tool_*", limit: 900 },
  ]),
  gated("calls", "a budget of calls for each tool", [{ ...someCalls, tool: "*" }]),
  gated("truncate", "answers are cut", [{ ...base, limit: 250, action: "truncate" }]),
  gated("truncate-session", "answers are cut to the rest of a session's budget", [
    { ...session, action: "truncate" },
  ]),
  gated("spill", "answers are written to files", [{ ...base, limit: 300, action: "spill" }]),
  gated(
    "throttle",
    "requests wait",
    [{ ...someCalls, tool: "*", limit: 3, per: "minute", action: "throttle" }],
    { isDelaying: true },
  ),
  gated(
    "warn",
    "budgets that only record",
    [
      { ...base, limit: 100, action: "warn" },
      { ...session, limit: 1_000, action: "warn" },
    ],
    { isGating: false },
  ),
  gated("day", "a budget per day, shared by sessions", [day], { sessions: 4 }),
  gated(
    "day-cut",
    "a budget per day for each tool, which cuts",
    [{ ...day, tool: "*", limit: 1_200, action: "truncate" }],
    { sessions: 3 },
  ),
  gated("annotate", "results contain their cost", [], {
    isGating: false,
    isAnnotating: true,
    flags: ["--annotate"],
  }),
  gated("lock", "only tools that match the lock", [], {
    isLocked: true,
    flags: ["--lock", "{lock}", "--enforce-lock"],
  }),
  gated("repeats", "few identical calls in a row", [], { flags: ["--max-repeats", "2"] }),
  gated("chars4", "content arrays priced by their length", [{ ...session, limit: 1_500 }], {
    counter: "chars4",
  }),
  gated("exact", "counted with a vocabulary", [{ ...session, limit: 1_500 }], {
    counter: "o200k",
  }),
  gated("client", "another client's view of a result", [{ ...session, limit: 1_500 }], {
    profile: "structured-first",
    flags: ["--client", "claude-code", "--model", "gpt-5"],
  }),
  gated(
    "rpc",
    "refusals as errors",
    [
      { ...base, limit: 500 },
      { ...session, limit: 3_000 },
    ],
    { flags: ["--error-form", "rpc"] },
  ),
  gated(
    "several",
    "several budgets at once",
    [
      { ...base, tool: "alpha", limit: 300 },
      { ...session, tool: "tool_*", limit: 1_000, action: "truncate" },
      { ...someCalls, limit: 12 },
      { ...session, limit: 6_000, action: "warn" },
    ],
    { isAnnotating: true, flags: ["--annotate", "--max-repeats", "3", "--warn-at", "50"] },
  ),
  gated("log-off", "no records", [session], { log: undefined, flags: ["--log", "off"] }),
  gated("log-file", "a named record file, on the disk at once", [base], {
    log: "file",
    flags: ["--log", "{dir}/calls.ndjson", "--log-fsync"],
  }),
];

/** The option set of that name; throws an Error that lists all. */
export function findOptionSet(name: string): OptionSet {
  const found = optionSets.find((set) => set.name === name);
  if (found) return found;
  const names = optionSets.map((set) => set.name).join(", ");
  throw new Error(`Cannot find the option set "${name}": there are ${names}`);
}

/** The budget as `--budget` takes it. */
export function budgetSpec({ tool, limit, unit, per, action }: BudgetPart): string {
  const amount = unit === "calls" ? `${limit}calls` : String(limit);
  return `${tool === null ? "" : `${tool}=`}${amount}/${per}:${action}`;
}

/** The options of mcp-meter, before the `--`. */
export function flagsOf(set: OptionSet, dir: string, lock: string): readonly string[] {
  const budgets = set.budgets.flatMap((budget) => ["--budget", budgetSpec(budget)]);
  const flags = set.flags.map((flag) => flag.replace("{dir}", dir).replace("{lock}", lock));
  const summary = ["--summary", "json", "--summary-file", `${dir}/summary.json`];
  return ["--tokenizer", set.counter, ...budgets, ...flags, ...summary];
}
