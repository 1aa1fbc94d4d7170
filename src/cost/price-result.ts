import { countParts } from "./price.ts";
import type { Reader } from "./reader.ts";
import { type AskedFacts, readingOf } from "./reading.ts";
import { describeToolResult, mostOf } from "./visibility.ts";

/** Tokens of the part of a `tools/call` result that the model reads, at most. */
export function countResult(
  result: unknown,
  reader: Reader,
  asked: AskedFacts,
  enough = Infinity,
): number {
  return countParts(mostOf(describeToolResult(result, readingOf(reader, asked))), reader, enough);
}
