import { hasAnswer } from "./answer.ts";
import { memberAt, textAt } from "./json.ts";

/** One half of a multi-round trip: the server's requests for input, or the client's responses. */
export type InputRound = { readonly requestState: string | undefined; readonly entries: unknown };

export function inputRequired(result: unknown): InputRound | undefined {
  if (textAt(result, "resultType") !== "input_required" || hasAnswer(result)) return undefined;
  return {
    requestState: textAt(result, "requestState"),
    entries: memberAt(result, "inputRequests"),
  };
}

export function inputProvided(params: unknown): InputRound | undefined {
  const requestState = textAt(params, "requestState");
  const entries = memberAt(params, "inputResponses");
  const isAbsent = requestState === undefined && entries === undefined;
  return isAbsent ? undefined : { requestState, entries };
}
