import { isAcceptedEverywhere } from "#wire/answer-form.ts";
import { isObject, memberAt } from "#wire/json.ts";

/** By these forms, clients do not take it for an answer. */
export type IgnoredForm = "byte_order_mark" | "batch" | "not_json" | "meta" | "not_response";

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** The parsers of clients do not drop it. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, at) => bytes[at] === byte);
}

export function ignoredForm(message: unknown): IgnoredForm | undefined {
  if (!isObject(message) || "method" in message) return undefined;
  const meta = memberAt(message, "result", "_meta");
  if (meta !== undefined && !isObject(meta)) return "meta";
  // Its members matter to clients of some eras only, which the result is judged by.
  const { result } = message;
  const rest = isObject(result) && meta !== undefined ? { ...result, _meta: {} } : result;
  const judged = "result" in message ? { ...message, result: rest } : message;
  return isAcceptedEverywhere(judged) ? undefined : "not_response";
}

export const formFaults: { readonly [form in IgnoredForm]: string } = {
  byte_order_mark: "begins with a byte order mark",
  batch: "is in a batch",
  not_json: "has NaN or Infinity, which are not JSON",
  meta: "has a _meta that is not an object",
  not_response: "is not a response of JSON-RPC 2.0",
};
