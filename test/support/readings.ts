import { type RequestFacts, type ReadingTerms, makeReading } from "#tokens/cost/visibility.ts";
import { plainReader } from "./plain-reader.ts";

export const noRequestFacts: RequestFacts = { tool: null, input: [], caller: {} };

export function readAs(
  client: string | undefined,
  asked: Partial<RequestFacts> = {},
): ReadingTerms {
  return makeReading(plainReader(client), { ...noRequestFacts, ...asked });
}
