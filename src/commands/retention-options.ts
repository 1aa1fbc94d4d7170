import { sentences, UserError } from "#errors.ts";
import type { Retention } from "#storage/prune/choose-files.ts";
import { parseAge } from "#text/age.ts";
import { parseByteSize } from "#text/byte-size.ts";
import type { RawOptions } from "./command.ts";
import { textOption } from "./values.ts";

/** The retention that two options describe; `off` is none. Throws UserError for a value that is not an age or a size. */
export function retentionOption(
  options: RawOptions,
  { age, size }: { readonly age: string; readonly size: string },
): Retention {
  return {
    olderThanMs: parsedOption(options, age, parsePast, "an age such as 24h, 90d or 4w, or off"),
    keepBytes: parsedOption(options, size, parseByteSize, "a size such as 500M or 1.5G, or off"),
  };
}

/** Every file is older than nothing. */
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
  throw new UserError(sentences.optionValue(name, text, wanted));
}

/** True when records are removed at some age or size. */
export function isLimited({ olderThanMs, keepBytes }: Retention): boolean {
  return olderThanMs !== undefined || keepBytes !== undefined;
}
