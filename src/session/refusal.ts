import type { Decision } from "#budgets/decision.ts";
import { type RefusalFacts, refusalText } from "#budgets/refusal-text.ts";
import { type Arrival, rawIdAt } from "#calls/arrival.ts";
import type { Call } from "#calls/call.ts";
import { asItIs, type Carrier } from "#calls/carrier.ts";
import { nameCharactersMax } from "#limits/lines.ts";
import { safeName } from "#text/safe-name.ts";
import type { Id } from "#wire/message.ts";
import { refusedError, refusedResult } from "#wire/refusal.ts";
import type { ErrorForm } from "./event.ts";

/** How refusals are written in this session. */
export type RefusalStyle = { readonly form: ErrorForm; readonly isModern: boolean };

/** An answer that we write in the place of the server's: a result, or a JSON-RPC error. */
export type OurAnswer = { readonly result: unknown } | { readonly error: unknown };

/** The answer to a call that these facts refuse. */
export function refusalOf(call: Call, facts: RefusalFacts, style: RefusalStyle): OurAnswer {
  const text = refusalText(facts);
  if (call.method === "tools/call" && style.form === "tool") {
    return { result: refusedResult(text, style.isModern) };
  }
  const { reason, budget, spent, tokens } = facts;
  const { limit, per } = budget;
  const { tool: rawTool } = call.asked;
  const tool = rawTool === null ? null : safeName(rawTool, nameCharactersMax);
  const data = { source: "mcp-meter" as const, reason, tool, limit, spent, tokens, per };
  return { error: refusedError(text, data) };
}

/** Our answer in the place of one that does not pass. */
export function inPlace(
  call: Call,
  decision: Decision,
  style: RefusalStyle,
): OurAnswer | undefined {
  if (decision.kind === "replace") return { result: decision.result };
  return decision.kind === "refuse" ? refusalOf(call, decision.facts, style) : undefined;
}

/** The id of a request that is a number, where the answer has a text that reads as it. */
function rawNumber({ value, raw }: Id, arrival: Arrival): string | undefined {
  const text = rawIdAt(arrival);
  const isSame = text.startsWith('"') && Number(text.slice(1, -1)) === value;
  return isSame ? (raw ?? String(value)) : undefined;
}

/** The message in whose place our answer goes, and the form that it has there. */
export type AnswerPlace = { readonly arrival: Arrival; readonly carrier: Carrier };

/**
 * The line that carries our answer to the client. It has the id of the server's line, or that of the request where the
 * server wrote a text for a number: a client that rejects this would read a further answer, which nothing pays for.
 */
export function answerLine(
  answer: OurAnswer,
  { arrival, carrier }: AnswerPlace,
  asked?: Id,
): Uint8Array {
  const isRewritten = asked && carrier === asItIs && typeof asked.value === "number";
  const rawId = (isRewritten && rawNumber(asked, arrival)) || rawIdAt(arrival);
  return "result" in answer
    ? carrier.result(rawId, answer.result)
    : carrier.error(rawId, answer.error);
}
