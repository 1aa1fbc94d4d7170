import { hasAnswer } from "./answer.ts";
import { memberAt, textAt } from "./json.ts";

/** One side of a multi-round trip: what the server asks for, or what the client answers. */
export type InputRound = { readonly requestState: string | undefined; readonly entries: unknown };

/** The server's half of a multi-round trip: a result that asks the client for more, and answers nothing. */
export function inputRequired(result: unknown): InputRound | undefined {
  if (textAt(result, "resultType") !== "input_required" || hasAnswer(result)) return undefined;
  return {
    requestState: textAt(result, "requestState"),
    entries: memberAt(result, "inputRequests"),
  };
}

/** The client's half: a request that carries what was asked for. */
export function inputProvided(params: unknown): InputRound | undefined {
  const requestState = textAt(params, "requestState");
  const entries = memberAt(params, "inputResponses");
  return requestState === undefined && entries === undefined
    ? undefined
    : { requestState, entries };
}
