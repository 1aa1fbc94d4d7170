import { type AskedFacts, type Reading, readingOf } from "#tokens/cost/reading.ts";
import { plainReader } from "./plain-reader.ts";

export const askedNothing: AskedFacts = { tool: null, input: [], caller: {} };

export function readAs(client: string | undefined, asked: Partial<AskedFacts> = {}): Reading {
  return readingOf(plainReader(client), { ...askedNothing, ...asked });
}
