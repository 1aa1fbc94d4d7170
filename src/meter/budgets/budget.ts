import { UserError } from "#kit/errors.ts";
import { parseAmount, formatCount, pluralize } from "#kit/text/numbers.ts";

export type Unit = "tokens" | "calls" | "dollars";

// Also listed in `windows.ts`, `config.schema.json` and `counter.lua`.
export type Period = "call" | "session" | "minute" | "hour" | "day" | "week" | "month";

// A counter adds up the calls of one user, or of everyone.
export type Owner = "user" | "fleet";

const owners: readonly Owner[] = ["user", "fleet"];

export type Budget = {
  readonly spec: string; // `[TOOL=]LIMIT[/PER[/OWNER]][:ACTION]`, also for budgets in config files
  // A name, or a wildcard with one counter for each matching tool; null for the whole server, or all servers.
  readonly tool: string | null;
  readonly isOverall: boolean; // one counter covers all servers, and `tool` is null
  readonly limit: number; // an amount of `unit`, or nanodollars for `dollars`
  readonly unit: Unit;
  readonly per: Period;
  readonly owner: Owner;
  readonly action: string;
  readonly warnAtPercent: number | null; // null for the default
};

export type RawBudget = {
  readonly tool?: string | undefined;
  readonly limit: number | string;
  readonly per?: string | undefined;
  readonly owner?: string | undefined;
  readonly action?: string | undefined;
  readonly warn_at?: number | undefined;
};

export type ActionRules = {
  readonly [id: string]: {
    readonly waits: boolean;
    readonly reduces: boolean;
    readonly isEnforcing: boolean;
  };
};

export const periods: readonly Period[] = [
  "call",
  "session",
  "minute",
  "hour",
  "day",
  "week",
  "month",
];

// As the tool of a budget, `all` means all servers. A tool with this name is written `al?`.
const everyServer = "all";

export function makeBudget(raw: RawBudget, actions: ActionRules): Budget {
  const {
    tool: rawTool = null,
    per: rawPer = "call",
    action = "error",
    warn_at: warnAtPercent = null,
  } = raw;
  const spec = makeSpec(raw);
  const fail = (reason: string): never => {
    throw new UserError(budgetSentences.budgetMalformed(spec, reason));
  };
  if (rawTool === "") fail(`"=" requires a tool before it, as in search=2000`);
  const rawLimit = String(raw.limit);
  const { limit, unit } = parseLimit(rawLimit) ?? fail(describeBadLimit(rawLimit));
  if (!Object.hasOwn(actions, action)) {
    fail(describeUnknown("action", action, Object.keys(actions)));
  }
  const per =
    periods.find((period) => period === rawPer) ?? fail(describeUnknown("period", rawPer, periods));
  const isOverall = rawTool === everyServer;
  const owner = parseOwner(raw) ?? fail(describeUnknown("owner", String(raw.owner), owners));
  const tool = isOverall ? null : rawTool;
  const budget = { spec, tool, isOverall, limit, unit, per, owner, action, warnAtPercent };
  const contradiction = findContradiction(budget, raw, actions);
  if (contradiction !== undefined) fail(contradiction);
  return budget;
}

function makeSpec({ tool, limit, per, owner, action }: RawBudget): string {
  return [
    tool === undefined ? "" : `${tool}=`,
    String(limit),
    per === undefined ? "" : `/${per}`,
    owner === undefined ? "" : `/${owner}`,
    action === undefined ? "" : `:${action}`,
  ].join("");
}

function parseOwner({ owner = "fleet" }: RawBudget): Owner | undefined {
  return owners.find((known) => known === owner);
}

function findContradiction(
  budget: Budget,
  raw: RawBudget,
  actions: ActionRules,
): string | undefined {
  const { owner } = raw;
  if (owner !== undefined && !isShared(budget)) {
    return `"/${owner}" requires a period from minute to month, as in 500k/day/${owner}: a ${budget.per} has only one user`;
  }
  return budget.limit === 0
    ? findBanContradiction(budget)
    : findLimitContradiction(budget, raw, actions);
}

function findLimitContradiction(
  { unit, per, action, limit, isOverall }: Budget,
  raw: RawBudget,
  actions: ActionRules,
): string | undefined {
  const rules = actions[action];
  if (isOverall && !isShared({ per })) {
    return `"all" adds up all servers and requires a period from minute to month, as in all=${raw.limit}/day; to limit a tool named "all", write "al?"`;
  }
  if (unit === "calls" && per === "call") {
    return `a limit of calls requires a period, as in ${limit}calls/session`;
  }
  if (unit === "calls" && rules?.reduces === true) {
    return `"${action}" shortens answers and requires a limit of tokens or money; to limit calls, use error, warn or throttle`;
  }
  if (rules?.waits === true && !isShared({ per })) {
    return `"${action}" waits for a counter to refill and requires a period from minute to month`;
  }
  return undefined;
}

function findBanContradiction({ tool, unit, per, action }: Budget): string | undefined {
  if (tool === null) return "a limit of 0 forbids a tool and requires its name, as in search=0";
  const isPlain = unit === "tokens" && per === "call" && action === "error";
  return isPlain
    ? undefined
    : "a limit of 0 forbids a tool at any time; write it without a unit, period or action";
}

export function isShared({ per }: Pick<Budget, "per">): boolean {
  return per !== "call" && per !== "session";
}

// Counters add up whole numbers exactly, so money is counted in nanodollars.
export const nanodollarsPerDollar = 1e9;

const dollarsMax = Math.floor(Number.MAX_SAFE_INTEGER / nanodollarsPerDollar);

function parseDollars(text: string): number | undefined {
  const [, digits] = /^\$(\d+(?:\.\d{1,9})?)$/.exec(text) ?? [];
  const dollars = Number(digits);
  return digits === undefined || dollars > dollarsMax ? undefined : toNanodollars(dollars);
}

export function toNanodollars(dollars: number): number {
  return Math.round(dollars * nanodollarsPerDollar);
}

export function listSpecs(budgets: readonly Budget[]): string {
  return budgets.map(({ spec }) => spec).join(", ");
}

function parseLimit(raw: string): { limit: number; unit: Unit } | undefined {
  const dollars = parseDollars(raw.trim());
  if (dollars !== undefined) return { limit: dollars, unit: "dollars" };
  const [, amount = "", calls] = /^(.*?)(calls?)?$/.exec(raw.trim()) ?? [];
  const limit = parseAmount(amount);
  if (limit === undefined) return undefined;
  return { limit, unit: calls === undefined ? "tokens" : "calls" };
}

function describeBadLimit(raw: string): string {
  if (raw === "")
    return "the limit is missing; write a number such as 2000 or 20k, or '$5' in single quotes";
  if (raw.startsWith("$"))
    return `the limit must be an amount such as $5 or $0.05, at most $${formatCount(dollarsMax)}, not "${raw}"`;
  return /^\d+(?:\.\d+)?[km]?(?:calls?)?$/i.test(raw)
    ? `the limit must be a whole number from 0 to ${formatCount(Number.MAX_SAFE_INTEGER)}, not "${raw}"`
    : `"${raw}" is not a number such as 2000 or 20k`;
}

function describeUnknown(option: string, raw: string, known: readonly string[]): string {
  const problem = raw === "" ? `the ${option} is missing` : `"${raw}" is not a known ${option}`;
  return `${problem}; use one of ${known.join(", ")}`;
}

const severalBudgets = /=\$?\d[\w/:.]*,/;

/** `[TOOL=]LIMIT[/PER[/OWNER]][:ACTION]`, where TOOL ends at the last `=`. Throws UserError. */
export function parseBudget(spec: string, actions: ActionRules): Budget {
  const equalsAt = spec.lastIndexOf("=");
  const tool = equalsAt < 0 ? undefined : spec.slice(0, equalsAt);
  const [amount = "", action, ...moreActions] = spec.slice(equalsAt + 1).split(":");
  const [limit = "", per, owner, ...moreOwners] = amount.split("/");
  if (tool !== undefined && severalBudgets.test(tool)) {
    const reason = "it contains several budgets; give each its own --budget";
    throw new UserError(budgetSentences.budgetMalformed(spec, reason));
  }
  if (moreActions.length > 0) throw makeSurplusError(spec, "action", "search=2000:warn");
  if (periods.some((period) => period === owner))
    throw makeSurplusError(spec, "period", "20k/session");
  if (moreOwners.length > 0) throw makeSurplusError(spec, "owner", "500k/day/user");
  return makeBudget({ tool, limit, per, owner, action }, actions);
}

function makeSurplusError(spec: string, option: string, example: string): UserError {
  const reason = `it has more than one ${option}; write one, as in ${example}`;
  return new UserError(budgetSentences.budgetMalformed(spec, reason));
}

// Budgets with the same selector count the same calls over the same time.
export function makeSelectorKey({ tool, isOverall, unit, per, owner }: Budget): string {
  return JSON.stringify([tool, isOverall, unit, per, owner]);
}

/**
 * Returns a number for each budget. Budgets with the same selector are numbered from 0: enforcing actions before
 * others, then smaller limits before larger ones. Duplicates share a number, and so they share a counter.
 * A budget keeps its number if its enforcing action is replaced by another enforcing action.
 */
export function rankBudgets(
  budgets: readonly Budget[],
  actions: ActionRules,
): ReadonlyMap<Budget, number> {
  const rankAction = ({ action }: Budget): number =>
    actions[action]?.isEnforcing === true ? 0 : 1;
  const ordered = budgets.toSorted((a, b) => rankAction(a) - rankAction(b) || a.limit - b.limit);
  const last = new Map<string, { readonly budget: Budget; readonly rank: number }>();
  const ranks = new Map<Budget, number>();
  for (const budget of ordered) {
    const key = makeSelectorKey(budget);
    const previous = last.get(key);
    const isRepeated =
      previous?.budget.limit === budget.limit && previous.budget.action === budget.action;
    const rank = previous ? previous.rank + (isRepeated ? 0 : 1) : 0;
    ranks.set(budget, rank);
    last.set(key, { budget, rank });
  }
  return ranks;
}

/** Throws UserError if a selector has two limits for one action, or two enforcing actions for one limit. */
export function rejectContradictions(budgets: readonly Budget[], actions: ActionRules): void {
  const seen = new Map<string, Budget>();
  for (const budget of budgets) {
    const selector = makeSelectorKey(budget);
    const isEnforcing = actions[budget.action]?.isEnforcing === true;
    const keys = [
      `${selector} ${budget.action}`,
      ...(isEnforcing ? [`${selector} ${budget.limit}`] : []),
    ];
    for (const key of keys) {
      const earlier = seen.get(key) ?? budget;
      if (earlier.limit !== budget.limit || earlier.action !== budget.action) {
        throw new UserError(budgetSentences.budgetsContradict(earlier.spec, budget.spec));
      }
      seen.set(key, budget);
    }
  }
}

export function namesServer(tool: string | null, server: string): boolean {
  return tool !== null && tool.toLowerCase() === server.toLowerCase();
}

function describeUnmatched(spec: string, tools: number): string {
  const mismatch =
    tools === 1
      ? "does not match the server's only tool"
      : `matches none of the server's ${pluralize(tools, "tool")}`;
  return `${spec.startsWith("--") ? spec : `Budget "${spec}"`} ${mismatch}`;
}

function stripTool(spec: string): string {
  return spec.slice(spec.lastIndexOf("=") + 1);
}

export const budgetSentences = {
  budgetMalformed: (spec: string, reason: string) => `Cannot read budget "${spec}": ${reason}`,
  budgetsContradict: (first: string, second: string) =>
    `Cannot combine budgets "${first}" and "${second}": they limit the same counter differently; remove one`,
  budgetUnmatched: (spec: string, tools: number, nearest: string | undefined) =>
    describeUnmatched(spec, tools) + (nearest === undefined ? "" : `; did you mean "${nearest}"?`),
  budgetNamesServer: (spec: string, tools: number) =>
    `${describeUnmatched(spec, tools)}; to limit every tool of this server, write "${stripTool(spec)}"`,
  budgetMayNameServer: (spec: string, server: string) =>
    `Budget "${spec}" limits only a tool named "${server}"; to limit every tool of the server "${server}", write "${stripTool(spec)}"`,
} as const;
