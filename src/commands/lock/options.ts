import { UserError } from "#kit/errors.ts";
import type { BaseLock, BaseName, LockContext } from "#lock/lock-report.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { FailOn } from "#lock/drift/severity-rules.ts";
import { type Arguments, type OptionGroup, type RawOptions, makeCommandFlag } from "../command.ts";
import { readerOptionGroup } from "../reader-options.ts";
import {
  connectionOptions,
  parseServerOptions,
  type ServerOptions,
  urlOptionGroup,
} from "../connection-options.ts";
import { type CheckOutput, parseCheckOutput, makeFormatSpec } from "../check-output-options.ts";
import { printOptionSpecs } from "../output/output-options.ts";
import {
  parseChoice,
  readFlag,
  parseGrowth,
  readList,
  readText,
  parseTokens,
} from "../option-values.ts";
import { commandSentences } from "../sentences.ts";
import type { LockLimits } from "#lock/lock-limits.ts";

const lockFileDefault = "mcp-meter.lock";

const severities: readonly FailOn[] = ["breaking", "risky", "safe"];

export const lockOptionSpecs = {
  lock: {
    value: "FILE",
    description: "the lock file",
    default: lockFileDefault,
    formerName: "file",
    isPath: true,
  },
  "fail-on": {
    value: "SEVERITY",
    description: "lowest severity of drift that fails: breaking, risky, safe",
    default: "risky",
    choices: severities,
  },
  "max-increase": {
    value: "SHARE|N",
    description:
      "allowed growth of all definitions since the lock or the base: a share such as 5%, or tokens",
  },
  "max-total": { value: "N", description: "maximum tokens of all definitions, such as 20k" },
  "max-tool": {
    value: "N",
    description: "maximum tokens of a single definition; NAME=N sets the limit for the tool NAME",
    isRepeatable: true,
  },
  base: {
    value: "FILE|REV",
    description:
      "also compare with another lock: a file, or the lock file in a git revision such as origin/main",
    isPath: true,
  },
} as const;

export function listOptionGroups(formatDefault: string): readonly OptionGroup[] {
  return [
    readerOptionGroup,
    { heading: "Output", options: { format: makeFormatSpec(formatDefault), ...printOptionSpecs } },
    urlOptionGroup,
    { heading: "General", options: connectionOptions, rare: ["timeout"] },
  ];
}

export const lockOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Lock and limits",
    rare: ["force", "fail-on", "max-tool"],
    options: {
      check: makeCommandFlag("compare with the lock instead of writing it"),
      "dry-run": makeCommandFlag("print the changes without writing the lock"),
      force: makeCommandFlag(
        "replace a lock counted by another estimator, or one with conflict markers",
      ),
      ...lockOptionSpecs,
    },
  },
  ...listOptionGroups("table, or github for --check on GitHub Actions"),
];

export type ComparisonOptions = {
  readonly file: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
  readonly base: BaseName | undefined;
};

export function makeLockContext(
  options: ComparisonOptions & Pick<ServerOptions, "risk">,
  base: BaseLock | undefined,
): LockContext {
  const { file, limits, failOn, risk } = options;
  return { lockFile: file, limits, failOn, thresholds: risk ?? riskThresholdsDefault, base };
}

export type LockOptions = ServerOptions &
  ComparisonOptions &
  CheckOutput & {
    readonly isCheck: boolean;
    readonly isForced: boolean;
    readonly isDryRun: boolean;
  };

export function parseLockOptions(args: Arguments): LockOptions {
  rejectWriteOptionsInCheck(args.options);
  return {
    ...parseServerOptions(args, "lock"),
    ...parseComparisonOptions(args.options),
    isCheck: readFlag(args.options, "check"),
    isForced: readFlag(args.options, "force"),
    isDryRun: readFlag(args.options, "dry-run"),
    ...parseCheckOutput(args.options),
  };
}

function rejectWriteOptionsInCheck(raw: RawOptions): void {
  if (!readFlag(raw, "check")) return;
  const option = ["force", "dry-run"].find((name) => readFlag(raw, name));
  if (option !== undefined)
    throw new UserError(commandSentences.optionsContradict("--check", `--${option}`));
}

export function parseComparisonOptions(raw: RawOptions): ComparisonOptions {
  const file = readText(raw, "lock");
  const increase = parseGrowth(raw, "max-increase");
  const total = parseTokens(raw, "max-total");
  return {
    file: file ?? lockFileDefault,
    failOn: parseChoice(raw, "fail-on", severities) ?? "risky",
    base: parseBase(raw),
    limits: {
      ...(increase === undefined ? {} : { maxIncrease: increase }),
      ...(total === undefined ? {} : { maxTotalTokens: total }),
      ...parseToolLimits(readList(raw, "max-tool")),
    },
  };
}

function parseToolLimits(specs: readonly string[]): Partial<LockLimits> {
  const tokensByTool = new Map<string, number>();
  let maxToolTokens: number | undefined;
  for (const spec of specs) {
    const at = spec.lastIndexOf("=");
    const tokens = parseTokens({ "max-tool": spec.slice(at + 1) }, "max-tool");
    if (tokens === undefined) continue;
    if (at < 0) maxToolTokens = tokens;
    else tokensByTool.set(spec.slice(0, at), tokens);
  }
  return {
    ...(maxToolTokens === undefined ? {} : { maxToolTokens }),
    ...(tokensByTool.size === 0 ? {} : { maxTokensByTool: tokensByTool }),
  };
}

function parseBase(raw: RawOptions): BaseName | undefined {
  const text = readText(raw, "base");
  const base = text === undefined ? undefined : parseBaseName(text);
  if (text === undefined || base) return base;
  throw new UserError(commandSentences.optionValue("base", text, "a git revision or a lock file"));
}

// Undefined if invalid. A file starts with `/` or `.` or ends in `.lock`; anything else is a Git revision.
export function parseBaseName(raw: string): BaseName | undefined {
  if (/\p{Cc}/u.test(raw)) return undefined;
  if (/^[./]|\.lock$/.test(raw)) return { name: raw, isFile: true };
  return raw.startsWith("-") ? undefined : { name: raw, isFile: false };
}
