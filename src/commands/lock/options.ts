import { sentences, UserError } from "#errors.ts";
import type { LockLimits } from "#lock/lock-limits.ts";
import type { FailOn } from "#lock/severity.ts";
import type { Growth } from "#lock/growth.ts";
import { documentFormats } from "#renderers/formats.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { serverOptionSpecs } from "../visit/options.ts";
import { choiceOption, textOption } from "../values.ts";

export const lockFileDefault = "mcp-meter.lock";

const failOns: readonly FailOn[] = ["breaking", "risky", "safe"];

/** Options about a lock, for every command that looks at one. */
export const lockLimitSpecs: OptionSpecs = {
  file: { value: "FILE", describe: `the lock (default: ${lockFileDefault})` },
  "max-increase": {
    value: "SHARE|N",
    describe: "growth of all definitions since the lock: 5% or tokens",
  },
  "max-total": { value: "N", describe: "tokens of all definitions, such as 20k" },
  "max-tool": { value: "N", describe: "tokens of any one definition" },
  "fail-on": {
    value: "SEVERITY",
    describe: "breaking, risky (default) or safe: this and worse fail",
  },
};

/** Options of `lock` as a person writes them. */
export const lockOptionSpecs: OptionSpecs = {
  check: { describe: "compare with the lock instead of writing it" },
  format: { value: "FORMAT", describe: `${documentFormats.join(", ")} (default: table)` },
  ...lockLimitSpecs,
  ...serverOptionSpecs,
};

/** Those options, understood. */
export type LockOptions = {
  readonly file: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
};

/** Throws UserError naming the first option that cannot be read. */
export function parseLockOptions(raw: RawOptions): LockOptions {
  const increase = growthOption(raw, "max-increase");
  const total = tokensOption(raw, "max-total");
  const tool = tokensOption(raw, "max-tool");
  return {
    file: textOption(raw, "file") ?? lockFileDefault,
    failOn: choiceOption(raw, "fail-on", failOns) ?? "risky",
    limits: {
      ...(increase === undefined ? {} : { maxIncrease: increase }),
      ...(total === undefined ? {} : { maxTotalTokens: total }),
      ...(tool === undefined ? {} : { maxToolTokens: tool }),
    },
  };
}

/** A number of tokens: `2000`, `20k`, `1.5M`. */
export function tokensOption(raw: RawOptions, name: string): number | undefined {
  const text = textOption(raw, name);
  if (text === undefined) return undefined;
  const tokens = parseTokens(text);
  if (tokens !== undefined) return tokens;
  throw new UserError(sentences.optionValue(name, text, "a number of tokens such as 2000 or 20k"));
}

/** `2000` → 2000, `20k` → 20 000, `1.5M` → 1 500 000; undefined for anything else. */
export function parseTokens(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text);
  if (!found) return undefined;
  const scale = { "": 1, k: 1e3, m: 1e6 }[found[2]?.toLowerCase() ?? ""] ?? 1;
  const tokens = Number(found[1]) * scale;
  return Number.isSafeInteger(tokens) ? tokens : undefined;
}

/** Growth as a share such as `5%`, or in tokens. */
export function growthOption(raw: RawOptions, name: string): Growth | undefined {
  const text = textOption(raw, name);
  if (text === undefined) return undefined;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (percent !== undefined) return { share: Number(percent) / 100 };
  const tokens = parseTokens(text);
  if (tokens !== undefined) return { tokens };
  throw new UserError(
    sentences.optionValue(name, text, "a share such as 5% or tokens such as 200"),
  );
}
