import { UserError } from "#kit/errors.ts";
import { parseAmount, formatCount } from "#kit/text/numbers.ts";
import { budgetSentences } from "./sentences.ts";

export type Unit = "tokens" | "calls";

export type Period = "call" | "session" | "minute" | "hour" | "day" | "week" | "month";

export type Budget = {
  readonly spec: string; // `[TOOL=]LIMIT[/PER][:ACTION]` as the user wrote it
  // A name, or a wildcard with one counter for each matching tool; null for the whole server.
  readonly tool: string | null;
  readonly isOverall: boolean; // one counter covers all of this user's servers, and `tool` is null
  readonly limit: number;
  readonly unit: Unit;
  readonly per: Period;
  readonly action: string;
  readonly warnAtPercent: number | null; // percentage that raises an alert; null for the default
};

export type RawBudget = {
  readonly tool?: string | undefined;
  readonly limit: number | string;
  readonly per?: string | undefined;
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

// As the name of the tool, it means all servers. A tool of this name is written `al?`.
const everyServer = "all";

/** Fills in defaults. Throws UserError that names the wrong part. */
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
  const tool = isOverall ? null : rawTool;
  const budget = { spec, tool, isOverall, limit, unit, per, action, warnAtPercent };
  const contradiction = findContradiction(budget, actions);
  if (contradiction !== undefined) fail(contradiction);
  return budget;
}

function makeSpec({ tool, limit, per, action }: RawBudget): string {
  return [
    tool === undefined ? "" : `${tool}=`,
    String(limit),
    per === undefined ? "" : `/${per}`,
    action === undefined ? "" : `:${action}`,
  ].join("");
}

function findContradiction(budget: Budget, actions: ActionRules): string | undefined {
  const { unit, per, action, limit, isOverall } = budget;
  const rules = actions[action];
  if (limit === 0) return findBanContradiction(budget);
  if (isOverall && !isShared(budget)) {
    return `"all" adds up all servers and requires a period from minute to month, as in all=${limit}/day; to limit a tool named "all", write "al?"`;
  }
  if (unit === "calls" && per === "call") {
    return `a limit of calls requires a period, as in ${limit}calls/session`;
  }
  if (unit === "calls" && rules?.reduces === true) {
    return `"${action}" shortens answers and requires a limit of tokens; with calls use error, warn or throttle`;
  }
  if (rules?.waits === true && !isShared(budget)) {
    return `"${action}" waits for a counter to refill and requires a period from minute to month`;
  }
  return undefined;
}

function findBanContradiction({ tool, unit, per, action }: Budget): string | undefined {
  if (tool === null) return "a limit of 0 forbids a tool and requires its name, as in search=0";
  const isPlain = unit === "tokens" && per === "call" && action === "error";
  return isPlain
    ? undefined
    : "a limit of 0 forbids a tool at any time; write it without unit, period and action";
}

export function isShared({ per }: Pick<Budget, "per">): boolean {
  return per !== "call" && per !== "session";
}

function parseLimit(raw: string): { limit: number; unit: Unit } | undefined {
  const [, amount = "", calls] = /^(.*?)(calls?)?$/.exec(raw.trim()) ?? [];
  const limit = parseAmount(amount);
  if (limit === undefined) return undefined;
  return { limit, unit: calls === undefined ? "tokens" : "calls" };
}

function describeBadLimit(raw: string): string {
  if (raw === "") return "the limit is missing; write a number such as 2000 or 20k";
  return /^\d+(?:\.\d+)?[km]?(?:calls?)?$/i.test(raw)
    ? `the limit must be a whole number from 0 to ${formatCount(Number.MAX_SAFE_INTEGER)}, not "${raw}"`
    : `"${raw}" is not a number such as 2000 or 20k`;
}

function describeUnknown(option: string, raw: string, known: readonly string[]): string {
  const fault = raw === "" ? `the ${option} is missing` : `"${raw}" is not a known ${option}`;
  return `${fault}; use one of ${known.join(", ")}`;
}

const severalBudgets = /=\d[\w/:.]*,/;

/** `[TOOL=]LIMIT[/PER][:ACTION]`, where TOOL ends at the last `=`. Throws UserError. */
export function parseBudget(spec: string, actions: ActionRules): Budget {
  const equalsAt = spec.lastIndexOf("=");
  const tool = equalsAt < 0 ? undefined : spec.slice(0, equalsAt);
  const [amount = "", action, ...moreActions] = spec.slice(equalsAt + 1).split(":");
  const [limit = "", per, ...morePeriods] = amount.split("/");
  if (tool !== undefined && severalBudgets.test(tool)) {
    throw new UserError(
      budgetSentences.budgetMalformed(
        spec,
        "it contains several budgets; give each its own --budget",
      ),
    );
  }
  if (moreActions.length > 0) throw makeSurplusError(spec, "action", "search=2000:warn");
  if (morePeriods.length > 0) throw makeSurplusError(spec, "period", "20k/session");
  return makeBudget({ tool, limit, per, action }, actions);
}

function makeSurplusError(spec: string, option: string, example: string): UserError {
  const reason = `it has more than one ${option}; write one, as in ${example}`;
  return new UserError(budgetSentences.budgetMalformed(spec, reason));
}

/** Throws UserError if a counter has two limits for one action, or two enforcing actions. */
export function rejectContradictions(budgets: readonly Budget[], actions: ActionRules): void {
  const seen = new Map<string, Budget>();
  for (const budget of budgets) {
    const counter = JSON.stringify([budget.tool, budget.isOverall, budget.unit, budget.per]);
    const isEnforcing = actions[budget.action]?.isEnforcing === true;
    const keys = [
      `${counter} ${budget.action}`,
      ...(isEnforcing ? [`${counter} ${budget.limit}`] : []),
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
