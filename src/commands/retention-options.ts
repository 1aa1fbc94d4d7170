import { UserError } from "#kit/errors.ts";
import type { Retention } from "#state/storage/prune/candidates.ts";
import { parseAge, parseByteSize } from "#kit/text/amount.ts";
import type { RawOptions } from "./command.ts";
import { textOption } from "./values.ts";
import { commandSentences } from "./sentences.ts";

export function retentionOption(
  options: RawOptions,
  { age, size }: { readonly age: string; readonly size: string },
): Retention {
  return {
    olderThanMs: parsedOption(options, age, parsePast, "an age such as 24h, 90d or 4w, or off"),
    keepBytes: parsedOption(options, size, parseByteSize, "a size such as 500M or 1.5G, or off"),
  };
}

/** Rejects 0: every file is older than that. */
function parsePast(text: string): number | undefined {
  const ms = parseAge(text);
  return ms === 0 ? undefined : ms;
}

function parsedOption(
  options: RawOptions,
  name: string,
  parse: (text: string) => number | undefined,
  wanted: string,
): number | undefined {
  const text = textOption(options, name);
  if (text === undefined || text === "off") return undefined;
  const value = parse(text);
  if (value !== undefined) return value;
  throw new UserError(commandSentences.optionValue(name, text, wanted));
}

export function isLimited({ olderThanMs, keepBytes }: Retention): boolean {
  return olderThanMs !== undefined || keepBytes !== undefined;
}
