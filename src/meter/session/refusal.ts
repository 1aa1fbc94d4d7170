import type { Decision } from "../budgets/decision.ts";
import { type RefusalFacts, refusalText } from "../budgets/refusal-text.ts";
import {
  type Arrival,
  type Position,
  rawIdAt,
  asItIs,
  type Carrier,
  type Call,
} from "../calls/call.ts";
import { channelMethod } from "#tokens/cost/methods.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { safeName } from "#kit/text/unsafe-text.ts";
import type { Line } from "#wire/line.ts";
import {
  type Id,
  type OpaqueMessage,
  errorLine,
  refusedError,
  refusedResult,
} from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import type { ErrorForm } from "./event.ts";

type RefusalStyle = { readonly form: ErrorForm; readonly isModern: boolean };

export type OurAnswer = { readonly result: unknown } | { readonly error: unknown };

export function makeRefusal(call: Call, facts: RefusalFacts, style: RefusalStyle): OurAnswer {
  const text = refusalText(facts);
  if (call.method === "tools/call" && style.form === "tool") {
    return { result: refusedResult(text, style.isModern) };
  }
  const { reason, budget, spent, tokens } = facts;
  const { limit, per } = budget;
  const { tool: rawTool } = call.request;
  const tool = rawTool === null ? null : safeName(rawTool, nameCharactersMax);
  const data = { source: "mcp-meter" as const, reason, tool, limit, spent, tokens, per };
  return { error: refusedError(text, data) };
}

/**
 * Our answer instead of one that is withheld. A pushed text gets none: the model would read that
 * too.
 */
export function replaceAnswer(
  call: Call,
  decision: Decision,
  style: RefusalStyle,
): OurAnswer | undefined {
  if (call.method === channelMethod) return undefined;
  if (decision.kind === "replace") return { result: decision.result };
  return decision.kind === "refuse" ? makeRefusal(call, decision.facts, style) : undefined;
}

/** The request's numeric id, when the answer wrote it as a text. */
function rawNumber({ value, raw }: Id, arrival: Arrival): string | undefined {
  const text = rawIdAt(arrival);
  const isSame = text.startsWith('"') && Number(text.slice(1, -1)) === value;
  return isSame ? (raw ?? String(value)) : undefined;
}

export type AnswerPosition = { readonly arrival: Arrival; readonly carrier: Carrier };

/**
 * The line with our answer. It has the server's id, or the request's where the server wrote a
 * number as text: a client that rejects such an id would read a second answer, which nothing
 * pays for.
 */
export function answerLine(
  answer: OurAnswer,
  { arrival, carrier }: AnswerPosition,
  asked?: Id,
): Uint8Array {
  const isRewritten = asked && carrier === asItIs && typeof asked.value === "number";
  const rawId = (isRewritten && rawNumber(asked, arrival)) || rawIdAt(arrival);
  return "result" in answer
    ? carrier.result(rawId, answer.result)
    : carrier.error(rawId, answer.error);
}

const unclearTexts = {
  ambiguous:
    "Programs may read it in different ways: names are repeated or spelled in another way, or it calls a tool without a plain name.",
  invalid: "It is not exactly one valid JSON-RPC message.",
} as const;

/**
 * The error for an HTTP request that is not exactly one valid message; undefined for a valid
 * one.
 */
export function unclearRequest(line: Line): Uint8Array | undefined {
  const message = parseMessage(line, { guarded: "client" });
  if (message.kind !== "opaque") return undefined;
  return unclearError(message, { line, item: undefined });
}

/**
 * For a text that may be a request but is not one valid message; undefined without an id to
 * answer. Over HTTP the answer belongs to the exchange.
 */
export function unclearLine(message: OpaqueMessage, arrival: Arrival): Uint8Array | undefined {
  if (arrival.from === "server" || (!message.isAsking && !arrival.exchange)) return undefined;
  return unclearError(message, arrival);
}

function unclearError({ reason, isAsking }: OpaqueMessage, position: Position): Uint8Array {
  const why = unclearTexts[reason === "ambiguous" ? "ambiguous" : "invalid"];
  const text = `mcp-meter: this was not sent to the server, because limits are enforced. ${why}`;
  const none = { tool: null, limit: 0, spent: 0, tokens: 0, per: "session" } as const;
  const data = { source: "mcp-meter", reason: "unclear_message", ...none } as const;
  return errorLine(isAsking ? rawIdAt(position) : "null", refusedError(text, data));
}
