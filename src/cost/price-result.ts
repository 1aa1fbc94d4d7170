import { countCeiling } from "./ceiling.ts";
import type { Reader } from "./reader.ts";
import { type AskedFacts, readingOf } from "./reading.ts";
import { ceilingOf, describeToolResult } from "./visibility.ts";

export function countResult(
  result: unknown,
  reader: Reader,
  asked: AskedFacts,
  enough = Infinity,
): number {
  const answer = describeToolResult(result, readingOf(reader, asked));
  return countCeiling(ceilingOf(answer), reader, enough);
}
