import { type RefusalFacts, refusalText } from "#budgets/refusal-text.ts";
import { type Arrival, rawIdAt } from "#calls/arrival.ts";
import type { Call } from "#calls/call.ts";
import type { Carrier } from "#calls/carrier.ts";
import { nameCharactersMax } from "#limits.ts";
import { safeName } from "#text/safe-name.ts";
import { refusedError, refusedResult } from "#wire/refusal.ts";
import type { ErrorForm } from "./event.ts";

/** How refusals are written in this session. */
export type RefusalStyle = { readonly form: ErrorForm; readonly isModern: boolean };

/** The line that the client gets instead of an answer. */
export function refusalLine(
  call: Call,
  facts: RefusalFacts,
  { arrival, carrier }: { readonly arrival: Arrival; readonly carrier: Carrier },
  { form, isModern }: RefusalStyle,
): Uint8Array {
  const text = refusalText(facts);
  const rawId = rawIdAt(arrival);
  if (call.method === "tools/call" && form === "tool") {
    return carrier.result(rawId, refusedResult(text, isModern));
  }
  const { reason, budget, spent, tokens } = facts;
  const { limit, per } = budget;
  const { tool: rawTool } = call.asked;
  const tool = rawTool === null ? null : safeName(rawTool, nameCharactersMax);
  const data = { source: "mcp-meter" as const, reason, tool, limit, spent, tokens, per };
  return carrier.error(rawId, refusedError(text, data));
}
