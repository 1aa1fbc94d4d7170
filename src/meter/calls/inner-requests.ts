import { describeRequest, isPriced } from "#tokens/cost/methods.ts";
import { isObject, memberAt, textAt } from "#wire/json.ts";
import type { Origin } from "./arrival.ts";
import { Call } from "./call.ts";

export type InnerAnswer = { readonly call: Call; readonly result: unknown };

export function entriesOf(rawEntries: unknown): [key: string, entry: unknown][] {
  return isObject(rawEntries) ? Object.entries(rawEntries) : [];
}

/** A priced request inside a message; elicitation and roots ask a person or the client, not a model. */
export function requestInside(entry: unknown, origin: Origin): Call | undefined {
  const method = textAt(entry, "method") ?? "";
  if (!isPriced(method)) return undefined;
  const asked = describeRequest(method, memberAt(entry, "params"));
  return new Call({ method, truncated: false }, asked, origin);
}
