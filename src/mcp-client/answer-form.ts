import { isAcceptedEverywhere } from "#wire/answer-form.ts";
import { isObject, memberAt } from "#wire/json.ts";

/** An answer that clients do not take for one, by its form. */
export type IgnoredForm = "byte_order_mark" | "batch" | "not_json" | "meta" | "not_response";

/** U+FEFF in UTF-8. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** True for a line that begins with a byte order mark, which the parsers of clients do not drop. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, at) => bytes[at] === byte);
}

/**
 * Why clients of the SDKs do not take a parsed message for the answer that it is; undefined when they do, and for a
 * message that is not an answer.
 */
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

/** The fault of such an answer, as a clause without its subject. */
export const formFaults: { readonly [form in IgnoredForm]: string } = {
  byte_order_mark: "begins with a byte order mark",
  batch: "is in a batch",
  not_json: "has NaN or Infinity, which are not JSON",
  meta: "has a _meta that is not an object",
  not_response: "is not a response of JSON-RPC 2.0",
};
