import { UserError } from "#kit/errors.ts";
import {
  defineCommand,
  type Arguments,
  type OptionGroup,
  type RawOptions,
  makeCommandFlag,
} from "../command.ts";
import { actionRules } from "#meter/actions/action-rules.ts";
import { type Budget, parseBudget, rejectContradictions } from "#meter/budgets/budget.ts";
import { listOptionGroups, lockOptionSpecs, parseComparisonOptions } from "../lock/options.ts";
import { budgetPriceSpecs } from "../price-options.ts";
import { parseCheckOutput } from "../check-output-options.ts";
import { parseServerOptions } from "../connection-options.ts";
import {
  makeConflict,
  OptionConflict,
  readFlag,
  parseGrowth,
  readList,
  readText,
} from "../option-values.ts";
import { checkSentences, commandSentences } from "../sentences.ts";
import type { CheckOptions } from "./command.ts";
import type { GrowthAllowance } from "#lock/lock-limits.ts";

const checkOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Calls",
    rare: ["prices", "dry-run", "max-call-increase"],
    options: {
      calls: {
        value: "FILE",
        description: "make the calls that a JSON or YAML file lists",
        isPath: true,
      },
      budget: {
        value: "SPEC",
        description: "limit the calls: [TOOL=]LIMIT[/PER]; PER: call, session",
        isRepeatable: true,
      },
      ...budgetPriceSpecs,
      "max-call-increase": {
        value: "SHARE|N",
        formerName: "max-growth",
        description:
          "maximum growth of a call's cost since the lock recorded it: a share, or tokens",
        default: "20%",
      },
      update: { description: "write the cost of each call to the lock" },
      "dry-run": makeCommandFlag("with --update: do not write the lock"),
    },
  },
  {
    heading: "Lock and limits",
    rare: ["fail-on", "max-tool"],
    options: {
      "no-lock": makeCommandFlag("check limits and calls without a lock"),
      ...lockOptionSpecs,
    },
  },
  ...listOptionGroups("table, or github on GitHub Actions"),
];

const growthDefault: GrowthAllowance = { share: 0.2 };

export function parseCheckOptions(args: Arguments): CheckOptions {
  const { options: raw } = args;
  const callsFile = readText(raw, "calls");
  const isWithoutLock = readFlag(raw, "no-lock");
  const budgets = parseCallBudgets(readList(raw, "budget"));
  if (budgets.length > 0 && callsFile === undefined) {
    throw new OptionConflict(checkSentences.budgetNeedsCalls());
  }
  const isGrowthExplicit = raw["max-call-increase"] !== undefined;
  if (isGrowthExplicit && callsFile === undefined) {
    throw new OptionConflict(checkSentences.growthNeedsCalls());
  }
  if (isWithoutLock) rejectLockOptions(raw);
  const server = parseServerOptions(args, "check");
  const comparison = parseComparisonOptions(raw);
  const checksNothing = callsFile === undefined && Object.keys(comparison.limits).length === 0;
  if (isWithoutLock && checksNothing) throw new UserError(checkSentences.checkOfNothing());
  return {
    ...server,
    ...comparison,
    callsFile,
    ...parseUpdate(raw, callsFile),
    isWithoutLock,
    budgets,
    priceFile: readText(raw, "prices"),
    growth: parseGrowth(raw, "max-call-increase") ?? growthDefault,
    isGrowthExplicit,
    ...parseCheckOutput(raw),
  };
}

function parseUpdate(raw: RawOptions, callsFile: string | undefined) {
  const [updatesAnswers, isDryRun] = [readFlag(raw, "update"), readFlag(raw, "dry-run")];
  if (updatesAnswers && callsFile === undefined)
    throw new OptionConflict(commandSentences.optionRequires("update", "calls FILE"));
  if (isDryRun && !updatesAnswers)
    throw new UserError(commandSentences.optionRequires("dry-run", "update"));
  return { updatesAnswers, isDryRun };
}

const optionsNeedingLock = [
  "lock",
  "fail-on",
  "max-increase",
  "max-call-increase",
  "base",
  "update",
];

function rejectLockOptions(raw: RawOptions): void {
  const option = optionsNeedingLock.find((name) => raw[name] !== undefined);
  if (option !== undefined) throw makeConflict("--no-lock", `--${option}`);
}

function parseCallBudgets(specs: readonly string[]): Budget[] {
  const budgets = specs.map((spec) => parseBudget(spec, actionRules));
  rejectContradictions(budgets, actionRules);
  const unsupported = budgets.find(({ per }) => per !== "call" && per !== "session");
  if (unsupported)
    throw new OptionConflict(checkSentences.checkBudgetPeriod(unsupported.spec, unsupported.per));
  return budgets;
}

export const checkCommand = defineCommand({
  name: "check",
  summary: "Check a server in CI: its lock, its limits and a file of calls",
  usage: "mcp-meter check [options] (--url URL | -- <command> [args…])",
  groups: checkOptionGroups,
  examples: [
    ["mcp-meter check --calls calls.yaml -- ./server", "check lock, definitions and calls"],
    [
      "mcp-meter check --calls calls.yaml --update -- ./server",
      "write the cost of each call to the lock",
    ],
    ["mcp-meter check --format junit -- ./server > report.xml", "write a test report"],
    [
      "mcp-meter check --base origin/main --format markdown -- ./server",
      "print a comment for a pull request",
    ],
    [
      "mcp-meter check --url https://example.com/mcp --header-env Authorization=TOKEN",
      "check a server behind a URL, with the token in the variable TOKEN",
    ],
  ],
  exits: [
    ["0", "everything passed"],
    ["1", "drift at or above --fail-on, an exceeded limit, or a failed call or list"],
    ["2", "invalid options, no readable lock or calls file, or nothing to check"],
    ["3", "the server did not start or answer, or listed no tools"],
  ],
  parse: parseCheckOptions,
  load: async () => (await import("./command.ts")).check,
});
