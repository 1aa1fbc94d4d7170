import {
  type RequestFacts,
  type AnswerContext,
  makeAnswerContext,
} from "#tokens/cost/visibility.ts";
import { plainReader } from "./plain-reader.ts";

export const noRequestFacts: RequestFacts = { tool: null, input: [], caller: {} };

export function readAs(
  client: string | undefined,
  asked: Partial<RequestFacts> = {},
): AnswerContext {
  return makeAnswerContext(plainReader(client), { ...noRequestFacts, ...asked });
}
