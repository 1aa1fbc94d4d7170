import { actionRules } from "#meter/actions/action-rules.ts";
import { UserError } from "#kit/errors.ts";
import {
  type Budget,
  makeBudget,
  makeSelectorKey,
  periods,
  type RawBudget,
  parseBudget,
  rejectContradictions,
} from "#meter/budgets/budget.ts";
import {
  type CounterFailurePolicy,
  counterFailurePolicies,
  mergeLockedBudgets,
  lockedBudgetsOption,
} from "#meter/budgets/gate-options.ts";
import type { ErrorForm } from "#meter/session/event.ts";
import { hidesTools, trimsLists, type TrimRules } from "#lock/hidden-tools.ts";
import type { RedisLocation } from "#state/stores/redis/address.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { counterOptionSpecs, parseCounterOptions } from "../counters/counter-options.ts";
import {
  parseChoice,
  parseCount,
  readFlag,
  readList,
  parseWholePercent,
  readText,
} from "../option-values.ts";
import { commandSentences } from "../sentences.ts";

const errorForms = ["tool", "rpc"] as const satisfies readonly ErrorForm[];
const faultPolicies = ["open", "closed"] as const;
const repeatForms = ["note", "off"] as const;

export const budgetOptionSpecs: OptionSpecs = {
  budget: {
    value: "SPEC",
    isRepeatable: true,
    description: `limit usage: [TOOL=]LIMIT[/PER[/OWNER]][:ACTION], as in search=2000 or '$5/day/user'; LIMIT: tokens, dollars ($5) or calls (9calls), 0 forbids a tool; all=LIMIT counts all servers together; OWNER: user, fleet; PER: ${periods.join(", ")}; ACTION: ${Object.keys(actionRules).join(", ")}`,
  },
  "warn-at": {
    value: "PERCENT",
    description: "alert at this percentage of a budget",
    default: "80",
  },
  "max-repeats": { value: "N", description: "refuse more than N identical calls in a row" },
  repeat: {
    value: "FORM",
    description:
      "when an answer repeats one that the model has just read in full: note (send one line that says so) or off (send the answer)",
    default: "off",
    choices: repeatForms,
  },
  "error-form": {
    value: "FORM",
    description: "form of a refusal: tool (a result with isError) or rpc (a JSON-RPC error)",
    default: "tool",
    choices: errorForms,
  },
  "spill-dir": {
    value: "DIR",
    description: "folder for the answers that the spill action saves",
    default: "a folder that the client can read",
    isPath: true,
  },
  ...counterOptionSpecs,
  "on-counter-failure": {
    value: "POLICY",
    description:
      "when the shared counters fail: local (continue from the last known amounts), closed (refuse calls) or open (let them pass)",
    default: counterFailurePolicies[0],
    choices: counterFailurePolicies,
  },
  "on-fault": {
    value: "POLICY",
    description:
      "when a config file other than the --config file has a mistake: open (continue without the faulty part) or closed (refuse calls)",
    default: "open",
    choices: faultPolicies,
  },
  lock: {
    value: "FILE",
    description: "warn about definitions that differ from this lock",
    isPath: true,
  },
  "enforce-lock": { description: "refuse calls to tools that differ from the lock or are new" },
};

type BudgetOptions = {
  readonly budgets: readonly Budget[];
  readonly lockedBudgets: readonly Budget[];
  /** The specs of the user's budgets that a locked budget overrides. */
  readonly outrankedBudgets: readonly string[];
  readonly errorForm: ErrorForm;
  readonly onCounterFailure: CounterFailurePolicy;
  readonly redis: RedisLocation | undefined;
  readonly spillDir: string | undefined;
  readonly warnAtPercent: number;
  readonly repeatsMax: number | undefined;
  readonly notesRepeats: boolean;
  readonly lockFile: string | undefined;
  readonly isLockEnforced: boolean;
  readonly onFault: (typeof faultPolicies)[number];
};

export function parseBudgetOptions(raw: RawOptions): BudgetOptions {
  const texts = readList(raw, "budget");
  // An empty budget may be `--budget "$UNSET"` in a shell script, whose author expects a limit.
  if (texts.some((text) => text.trim() === ""))
    throw new UserError(commandSentences.optionMissing("budget"));
  const specs = texts.flatMap((text) => text.split(/\s+/));
  const userBudgets =
    specs.length > 0
      ? specs.filter((spec) => spec !== "").map((spec) => parseBudget(spec, actionRules))
      : parseConfigBudgets(raw, "budgets");
  rejectContradictions(userBudgets, actionRules);
  const locked = parseConfigBudgets(raw, lockedBudgetsOption);
  const budgets = mergeLockedBudgets(locked, userBudgets, actionRules);
  const effectiveKeys = new Set(budgets.map(makeLimitKey));
  return {
    budgets,
    lockedBudgets: locked,
    outrankedBudgets: userBudgets
      .filter((budget) => !effectiveKeys.has(makeLimitKey(budget)))
      .map(({ spec }) => spec),
    errorForm: parseChoice(raw, "error-form", errorForms) ?? "tool",
    onCounterFailure:
      parseChoice(raw, "on-counter-failure", counterFailurePolicies) ?? counterFailurePolicies[0],
    redis: parseCounterOptions(raw),
    spillDir: readText(raw, "spill-dir"),
    warnAtPercent: parseWholePercent(raw, "warn-at") ?? 80,
    repeatsMax: parseCount(raw, "max-repeats", 1),
    notesRepeats: parseChoice(raw, "repeat", repeatForms) === "note",
    lockFile: readText(raw, "lock"),
    isLockEnforced: parseLockEnforced(raw),
    onFault: parseChoice(raw, "on-fault", faultPolicies) ?? "open",
  };
}

function makeLimitKey(budget: Budget): string {
  return JSON.stringify([makeSelectorKey(budget), budget.action, budget.limit]);
}

export type Limits = BudgetOptions & {
  readonly configFaults: readonly string[];
  readonly trim: TrimRules;
};

export function needsGate(limits: Limits): boolean {
  const { budgets, repeatsMax, notesRepeats, isLockEnforced, trim } = limits;
  const limitsCalls = budgets.length > 0 || repeatsMax !== undefined || isLockEnforced;
  return limitsCalls || notesRepeats || hidesTools(trim) || refusesCalls(limits);
}

/** True if the meter may replace messages, and therefore judges each message before forwarding. */
export function holdsMessages(options: Limits & { readonly isAnnotating: boolean }): boolean {
  const budgets = options.budgets.filter(({ action }) => findActionRules(action)?.isEnforcing);
  return needsGate({ ...options, budgets }) || options.isAnnotating || trimsLists(options.trim);
}

/** True for `--on-fault closed` if a config has a mistake: a limit may be missing, so every call is refused. */
export function refusesCalls({ onFault, configFaults }: Limits): boolean {
  return onFault === "closed" && configFaults.length > 0;
}

export function savesAnswers({ budgets }: Pick<BudgetOptions, "budgets">): boolean {
  return budgets.some(({ action }) => findActionRules(action)?.saves);
}

const findActionRules = (action: string) =>
  Object.entries(actionRules).find(([id]) => id === action)?.[1];

function parseLockEnforced(raw: RawOptions): boolean {
  const isEnforced = readFlag(raw, "enforce-lock");
  if (isEnforced && readText(raw, "lock") === undefined) {
    throw new UserError(commandSentences.optionRequires("enforce-lock", "lock FILE"));
  }
  return isEnforced;
}

function parseConfigBudgets(raw: RawOptions, name: string): Budget[] {
  const json = readText(raw, name);
  const rows: readonly RawBudget[] = json === undefined ? [] : JSON.parse(json);
  return rows.map((row) => makeBudget(row, actionRules));
}
