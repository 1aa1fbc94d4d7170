import { tokensByLength } from "#cost/tokens-by-length.ts";
import { exactCountCharacters, tableColumnsMax } from "#limits.ts";
import { spliceMeta } from "#wire/splice.ts";
import { arrayAt, isObject, memberAt, textAt } from "#wire/json.ts";
import type { Call } from "#calls/call.ts";
import type { Closing } from "#calls/outcome.ts";
import type { Confidence } from "#cost/estimation.ts";
import { describeResult } from "#cost/methods.ts";
import { readingOf } from "#cost/reading.ts";
import type { Arrival } from "#calls/arrival.ts";
import { countParts, countTexts } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";

/** Key of our member in a result's `_meta`. */
const usageKey = "dev.mcp-meter/usage";

/** The member that annotates a result. */
export type Usage = {
  readonly tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly method: string;
  readonly confidence: Confidence;
  readonly duration_ms: number;
} & Partial<Table>;

/** Size of a result that is a table: rows are objects, columns their distinct members. */
export type Table = {
  readonly rows: number;
  readonly columns: number;
  /** True when the result itself says that rows are missing. */
  readonly truncated: boolean;
};

/**
 * The line of an answer with its cost in the result's `_meta`; undefined for an answer that is left
 * alone: of a method without a price, an error, too long to read, or in a batch, which ended with revision
 * 2025-03-26.
 */
export function annotate(
  call: Call,
  closing: Closing,
  { line, item, hasPassed }: Arrival,
  reader: Reader,
): Uint8Array | undefined {
  if (!call.asked.isPriced || closing.result === undefined) return undefined;
  if (!line.bytes || item !== undefined || hasPassed) return undefined;
  return spliceMeta(line.bytes, usageKey, usageOf(call, closing, reader));
}

/** The cost of one call, for its result's `_meta`. Long answers are priced by their length. */
function usageOf(call: Call, { result, endedMs }: Closing, reader: Reader): Usage {
  const { visible } = describeResult(call.method, result, readingOf(reader, call.asked));
  const characters = visible.reduce(
    (sum, part) => sum + (part.kind === "text" ? part.text.length : 0),
    0,
  );
  const isLong = characters > exactCountCharacters;
  const output = isLong ? tokensByLength(characters) : countParts(visible, reader);
  const input = countTexts(call.asked.input, reader);
  const { method, confidence } = reader.estimator;
  return {
    tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    method: isLong ? "characters" : method,
    confidence: isLong ? "low" : confidence,
    duration_ms: Math.round(endedMs - call.startedMs),
    ...tableOf(result),
  };
}

/** The table a result holds: in `structuredContent`, else in its only text. */
export function tableOf(result: unknown): Table | undefined {
  const structured = memberAt(result, "structuredContent");
  const value = structured ?? parsed(onlyText(result));
  const rows = rowsOf(value);
  if (!rows) return undefined;
  const columns = new Set<string>();
  for (const row of rows) {
    for (const key of Object.keys(row)) if (columns.size < tableColumnsMax) columns.add(key);
  }
  return { rows: rows.length, columns: columns.size, truncated: isTruncated(value) };
}

/** An array of objects, or the only such array among an object's members. */
function rowsOf(value: unknown): readonly object[] | undefined {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isObject) ? value : undefined;
  }
  if (!isObject(value)) return undefined;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 1 ? rowsOf(lists[0]) : undefined;
}

const truncationMembers = ["truncated", "is_truncated", "isTruncated", "has_more", "hasMore"];

function isTruncated(value: unknown): boolean {
  return truncationMembers.some((name) => memberAt(value, name) === true);
}

function onlyText(result: unknown): string | undefined {
  const [block, ...more] = arrayAt(result, "content");
  return more.length === 0 ? textAt(block, "text") : undefined;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text.length > exactCountCharacters || !/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
