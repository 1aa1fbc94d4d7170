import { UserError } from "#kit/errors.ts";
import { actionRules } from "#meter/actions/rules.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import { parseBudget } from "#meter/budgets/budget-spec.ts";
import { rejectContradictions } from "#meter/budgets/contradictions.ts";
import type { Growth } from "#lock/growth.ts";
import type { Arguments, OptionGroup, RawOptions } from "../command.ts";
import {
  lockOptionSpecs,
  parseComparisonOptions,
  type ComparisonOptions,
} from "../lock/options.ts";
import { type CheckOutput, parseCheckOutput, reportOption } from "../report-targets.ts";
import { printOptionSpecs } from "../output/output-options.ts";
import { readerOptionGroup } from "../reader-options.ts";
import {
  connectionOptions,
  parseServerOptions,
  type ServerOptions,
} from "../server/server-options.ts";
import { urlOptionGroup } from "../server/url-options.ts";
import { flagOption, growthOption, listOption, textOption } from "../values.ts";
import { checkSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";

export const checkOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Calls",
    options: {
      calls: { value: "FILE", describe: "make the calls of a JSON or YAML file", isPath: true },
      budget: {
        value: "SPEC",
        describe: "limit the calls: [TOOL=]LIMIT[/PER], PER is call or session",
        isRepeatable: true,
      },
      "max-growth": {
        value: "SHARE|N",
        describe: "most growth of a call since the lock recorded it, in percent or tokens",
        default: "20%",
      },
      update: { describe: "record the answers of the calls in the lock" },
    },
  },
  {
    heading: "Lock and limits",
    options: {
      "no-lock": { describe: "check limits and calls without a lock", isFlagOnly: true },
      ...lockOptionSpecs,
    },
  },
  readerOptionGroup,
  {
    heading: "Output",
    options: {
      format: reportOption("table, or github on GitHub Actions"),
      ...printOptionSpecs,
    },
  },
  urlOptionGroup,
  { heading: "General", options: connectionOptions },
];

const growthDefault: Growth = { share: 0.2 };

export type CheckOptions = ServerOptions &
  ComparisonOptions &
  CheckOutput & {
    readonly callsFile: string | undefined;
    readonly budgets: readonly Budget[];
    readonly growth: Growth;
    /** A limit that the user names must have something to measure from. */
    readonly isGrowthNamed: boolean;
    readonly isUpdate: boolean;
    readonly isWithoutLock: boolean;
  };

export function parseCheckOptions(args: Arguments): CheckOptions {
  const { options: raw } = args;
  const callsFile = textOption(raw, "calls");
  const isUpdate = flagOption(raw, "update");
  const isWithoutLock = flagOption(raw, "no-lock");
  const budgets = parseCallBudgets(listOption(raw, "budget"));
  if (isUpdate && callsFile === undefined) throw new UserError(checkSentences.updateNeedsCalls());
  if (budgets.length > 0 && callsFile === undefined) {
    throw new UserError(checkSentences.budgetNeedsCalls());
  }
  if (raw["max-growth"] !== undefined && callsFile === undefined) {
    throw new UserError(checkSentences.growthNeedsCalls());
  }
  if (isWithoutLock) rejectLockOptions(raw);
  const server = parseServerOptions(args, "check");
  const comparison = parseComparisonOptions(raw);
  const isUnlimited = callsFile === undefined && Object.keys(comparison.limits).length === 0;
  if (isWithoutLock && isUnlimited) throw new UserError(checkSentences.checkOfNothing());
  return {
    ...server,
    ...comparison,
    callsFile,
    isUpdate,
    isWithoutLock,
    budgets,
    growth: growthOption(raw, "max-growth") ?? growthDefault,
    isGrowthNamed: raw["max-growth"] !== undefined,
    ...parseCheckOutput(raw),
  };
}

const lockOptions = ["file", "fail-on", "max-increase", "max-growth", "base", "update"];

function rejectLockOptions(raw: RawOptions): void {
  const given = lockOptions.find((name) => raw[name] !== undefined);
  if (given !== undefined)
    throw new UserError(commandSentences.optionsContradict("--no-lock", `--${given}`));
}

/** A check has no periods besides call and session. */
function parseCallBudgets(specs: readonly string[]): Budget[] {
  const budgets = specs.map((spec) => parseBudget(spec, actionRules));
  rejectContradictions(budgets, actionRules);
  const other = budgets.find(({ per }) => per !== "call" && per !== "session");
  if (other) throw new UserError(checkSentences.checkBudgetPeriod(other.spec, other.per));
  return budgets;
}
