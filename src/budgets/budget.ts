import { sentences, UserError } from "#errors.ts";

/** What a limit counts. */
export type Unit = "tokens" | "calls";

/** How long a counter lasts before it is full again. */
export type Period = "call" | "session" | "minute" | "hour" | "day";

/** Most that may be spent, on what, in which time, and what happens beyond it. */
export type Budget = {
  /** As the user wrote it: its name in records and refusals. */
  readonly spec: string;
  /** Name or wildcard of tools, each with a counter of its own; null for the server as a whole. */
  readonly tool: string | null;
  readonly limit: number;
  readonly unit: Unit;
  readonly per: Period;
  /** Id of an action. */
  readonly action: string;
  /** Share of the limit in percent that is worth an alert; null for the session's own setting. */
  readonly warnAtPercent: number | null;
};

export const periods: readonly Period[] = ["call", "session", "minute", "hour", "day"];

const scales: { readonly [letter: string]: number } = { "": 1, k: 1e3, K: 1e3, m: 1e6, M: 1e6 };

/** Actions by id as far as a budget's text needs to know them. */
export type ActionRules = {
  readonly [id: string]: {
    /** True when the action waits for a window to refill. */
    readonly waits: boolean;
    /** True when the action makes an answer smaller. */
    readonly reduces: boolean;
    /** True when the action changes what a client gets. */
    readonly isEnforcing: boolean;
  };
};

/** Reads `[TOOL=]LIMIT[/PER][:ACTION]`. Throws UserError naming the part that is wrong. */
export function parseBudget(spec: string, actions: ActionRules): Budget {
  const cut = spec.lastIndexOf("=");
  const rawTool = cut < 0 ? null : spec.slice(0, cut);
  const [rawAmount = "", rawAction = "error", ...moreActions] = spec.slice(cut + 1).split(":");
  const [rawLimit = "", rawPer = "call", ...morePers] = rawAmount.split("/");
  const fail = (reason: string): never => {
    throw new UserError(sentences.budgetMalformed(spec, reason));
  };
  if (rawTool === "") fail(`"=" requires a tool before it, as in search=2000`);
  if (moreActions.length > 0)
    fail("it has more than one action; write one, as in search=2000:warn");
  if (morePers.length > 0) fail("it has more than one period; write one, as in 20k/session");
  const { limit, unit } = parseLimit(rawLimit) ?? fail(badLimit(rawLimit));
  if (!Object.hasOwn(actions, rawAction)) {
    const known = Object.keys(actions).join(", ");
    fail(`${notA("action", rawAction)}; use one of ${known}`);
  }
  const per = periods.find((period) => period === rawPer);
  if (!per) {
    const known = periods.join(", ");
    return fail(`${notA("period", rawPer)}; use one of ${known}`);
  }
  const budget = { spec, tool: rawTool, limit, unit, per, action: rawAction, warnAtPercent: null };
  const contradiction = contradictionOf(budget, actions);
  if (contradiction !== undefined) fail(contradiction);
  return budget;
}

/**
 * Throws UserError when two budgets say different things about the same counter: two limits with one action,
 * two enforcing actions at one limit.
 */
export function checkBudgets(budgets: readonly Budget[], actions: ActionRules): void {
  const seen = new Map<string, Budget>();
  for (const budget of budgets) {
    const counter = JSON.stringify([budget.tool, budget.unit, budget.per]);
    const isEnforcing = actions[budget.action]?.isEnforcing === true;
    const keys = [
      `${counter} ${budget.action}`,
      ...(isEnforcing ? [`${counter} ${budget.limit}`] : []),
    ];
    for (const key of keys) {
      const other = seen.get(key) ?? budget;
      if (other.limit !== budget.limit || other.action !== budget.action) {
        throw new UserError(sentences.budgetsContradict(other.spec, budget.spec));
      }
      seen.set(key, budget);
    }
  }
}

/** Why these parts make no sense together; undefined when they do. */
export function contradictionOf(budget: Budget, actions: ActionRules): string | undefined {
  const { unit, per, action, limit } = budget;
  const rules = actions[action];
  if (unit === "calls" && per === "call") {
    return `a limit of calls requires a period, as in ${limit}calls/session`;
  }
  if (unit === "calls" && rules?.reduces === true) {
    return `"${action}" shortens answers and requires a limit of tokens; with calls use error, warn or throttle`;
  }
  if (rules?.waits === true && (per === "call" || per === "session")) {
    return `"${action}" waits for a counter to refill and requires minute, hour or day`;
  }
  return undefined;
}

function parseLimit(raw: string): { limit: number; unit: Unit } | undefined {
  const found = /^(\d+(?:\.\d+)?)([kKmM]?)(calls?)?$/.exec(raw.trim());
  if (!found) return undefined;
  const limit = Number(found[1]) * (scales[found[2] ?? ""] ?? 1);
  if (!Number.isSafeInteger(limit) || limit < 1) return undefined;
  return { limit, unit: found[3] === undefined ? "tokens" : "calls" };
}

function badLimit(raw: string): string {
  return raw === ""
    ? "the limit is missing; write a number such as 2000 or 20k"
    : `"${raw}" is not a number such as 2000 or 20k`;
}

/** `the period is missing` or `"week" is not a period`. */
function notA(part: string, raw: string): string {
  return raw === "" ? `the ${part} is missing` : `"${raw}" is not a known ${part}`;
}
