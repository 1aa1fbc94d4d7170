import { actions } from "#actions/index.ts";
import { sentences, UserError } from "#errors.ts";
import { type Budget, checkBudgets, parseBudget, periods } from "#budgets/budget.ts";
import type { ErrorForm } from "#session/event.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { choiceOption, countOption, flagOption, listOption, textOption } from "../values.ts";

/** Options of `run` that hold calls to something. */
export const budgetOptionSpecs: OptionSpecs = {
  budget: {
    value: "SPEC",
    isRepeatable: true,
    describe: `[TOOL=]LIMIT[/PER][:ACTION], as in search=2000 or 100k/session; PER: ${periods.join(", ")}; ACTION: ${Object.keys(actions).join(", ")}`,
  },
  "error-form": { value: "FORM", describe: "how a refusal looks: tool (default) or rpc" },
  "warn-at": { value: "PERCENT", describe: "alert when a budget passes this share (default 80)" },
  lock: { value: "FILE", describe: "warn when definitions differ from this lock" },
  "enforce-lock": { describe: "refuse calls to tools that differ from the lock" },
  "max-repeats": { value: "N", describe: "refuse the call that asks the same N+1 times in a row" },
};

/** What calls are held to, as far as options say it. */
export type BudgetOptions = {
  readonly budgets: readonly Budget[];
  readonly errorForm: ErrorForm;
  readonly warnAtPercent: number;
  readonly repeatsMax: number | undefined;
  readonly lockFile: string | undefined;
  readonly isLockEnforced: boolean;
};

/** Throws UserError naming the part of a budget that is wrong. */
export function parseBudgetOptions(raw: RawOptions): BudgetOptions {
  const given = listOption(raw, "budget");
  // As of "$UNSET" in a shell: whoever writes it believes to be protected.
  if (given.some((text) => text.trim() === ""))
    throw new UserError(sentences.optionMissing("budget"));
  const specs = given.flatMap((text) => text.split(/\s+/));
  const budgets =
    specs.length > 0
      ? specs.filter((spec) => spec !== "").map((spec) => parseBudget(spec, actions))
      : configBudgets(raw);
  checkBudgets(budgets, actions);
  const warnAtPercent = countOption(raw, "warn-at", 1) ?? 80;
  if (warnAtPercent > 100) {
    const wanted = "a share of 1 to 100 percent";
    throw new UserError(sentences.optionValue("warn-at", String(warnAtPercent), wanted));
  }
  return {
    budgets,
    errorForm: choiceOption(raw, "error-form", ["tool", "rpc"]) ?? "tool",
    warnAtPercent,
    repeatsMax: countOption(raw, "max-repeats", 1),
    lockFile: textOption(raw, "lock"),
    isLockEnforced: lockEnforced(raw),
  };
}

function lockEnforced(raw: RawOptions): boolean {
  const isEnforced = flagOption(raw, "enforce-lock");
  if (isEnforced && textOption(raw, "lock") === undefined) {
    throw new UserError(sentences.lockNotNamed());
  }
  return isEnforced;
}

type ConfigBudget = {
  readonly tool?: string;
  readonly limit: number | string;
  readonly per?: string;
  readonly action?: string;
  readonly warn_at?: number;
};

/** Budgets of the config file, which arrive as JSON that its schema has seen. */
function configBudgets(raw: RawOptions): Budget[] {
  const json = textOption(raw, "budgets");
  const rows: readonly ConfigBudget[] = json === undefined ? [] : JSON.parse(json);
  return rows.map(({ tool, limit, per, action, warn_at: warnAt }) => {
    const whose = tool === undefined ? "" : `${tool}=`;
    const period = per === undefined ? "" : `/${per}`;
    const answer = action === undefined ? "" : `:${action}`;
    const budget = parseBudget(`${whose}${limit}${period}${answer}`, actions);
    return { ...budget, warnAtPercent: warnAt ?? null };
  });
}
