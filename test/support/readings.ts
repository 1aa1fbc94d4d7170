import { type AskedFacts, type Reading, readingOf } from "#cost/reading.ts";
import { plainReader } from "./plain-reader.ts";

/** A request of which nothing is known. */
export const askedNothing: AskedFacts = { tool: null, input: [], caller: {} };

/** How a client reads the answer to a request. */
export function readAs(client: string | undefined, asked: Partial<AskedFacts> = {}): Reading {
  return readingOf(plainReader(client), { ...askedNothing, ...asked });
}
