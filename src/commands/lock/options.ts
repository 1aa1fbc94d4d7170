import type { LockLimits } from "#lock/lock-limits.ts";
import type { FailOn } from "#lock/severity.ts";
import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup, RawOptions } from "../command.ts";
import { readerOptionGroup } from "../reader-options.ts";
import { connectionOptions, parseServerOptions, type ServerOptions } from "../server-options.ts";
import { choiceOption, flagOption, growthOption, textOption, tokensOption } from "../values.ts";

const lockFileDefault = "mcp-meter.lock";

const failOns: readonly FailOn[] = ["breaking", "risky", "safe"];

/** Options about a lock and its limits, of every command that compares with one. */
export const lockOptionSpecs = {
  file: { value: "FILE", describe: "the lock file", default: lockFileDefault },
  "fail-on": {
    value: "SEVERITY",
    describe: "least severity of drift that fails: breaking, risky, safe",
    default: "risky",
  },
  "max-increase": {
    value: "SHARE|N",
    describe: "most growth of all definitions since the lock, as 5% or in tokens",
  },
  "max-total": { value: "N", describe: "most tokens of all definitions, such as 20k" },
  "max-tool": { value: "N", describe: "most tokens of any one definition" },
} as const;

/** Options of `lock`, as help groups them. */
export const lockOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Lock and limits",
    options: {
      check: { describe: "compare with the lock instead of writing it", isFlagOnly: true },
      force: {
        describe: "replace a lock that was counted with another estimator",
        isFlagOnly: true,
      },
      ...lockOptionSpecs,
    },
  },
  readerOptionGroup,
  {
    heading: "Output",
    options: {
      format: {
        value: "FORMAT",
        describe: `output format: ${documentFormats.join(", ")}`,
        default: "table",
      },
    },
  },
  { heading: "General", options: connectionOptions },
];

/** The terms of a comparison with a lock. */
export type ComparisonOptions = {
  readonly file: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
};

/** The parsed arguments of `lock`. */
export type LockOptions = ServerOptions &
  ComparisonOptions & {
    /** True to compare, false to write. */
    readonly isCheck: boolean;
    /** True to replace a lock of another estimator. */
    readonly isForced: boolean;
    readonly format: DocumentFormat;
  };

/** Throws UserError that names the first mistake. */
export function parseLockOptions(args: Arguments): LockOptions {
  return {
    ...parseServerOptions(args, "lock"),
    ...parseComparisonOptions(args.options),
    isCheck: flagOption(args.options, "check"),
    isForced: flagOption(args.options, "force"),
    format: choiceOption(args.options, "format", documentFormats) ?? "table",
  };
}

/** Throws UserError that names the first option with a wrong value. */
export function parseComparisonOptions(raw: RawOptions): ComparisonOptions {
  const file = textOption(raw, "file");
  const increase = growthOption(raw, "max-increase");
  const total = tokensOption(raw, "max-total");
  const tool = tokensOption(raw, "max-tool");
  return {
    file: file ?? lockFileDefault,
    failOn: choiceOption(raw, "fail-on", failOns) ?? "risky",
    limits: {
      ...(increase === undefined ? {} : { maxIncrease: increase }),
      ...(total === undefined ? {} : { maxTotalTokens: total }),
      ...(tool === undefined ? {} : { maxToolTokens: tool }),
    },
  };
}
