import { type BodyFraming, isBodiless } from "#http1/framing-fields.ts";
import type { ClientAnswer } from "./client-request.ts";
import type { RequestHead } from "./request-head.ts";

/** The framing of an answer to a request with that head (RFC 9112 6.3). */
export function answerFraming(
  { status, headers, body }: ClientAnswer,
  { method, minorVersion }: Pick<RequestHead, "method" | "minorVersion">,
): BodyFraming {
  if (isBodiless(method, status)) return { kind: "none" };
  if (!body) return { kind: "length", bytes: 0 };
  if (body instanceof Uint8Array) return { kind: "length", bytes: body.length };
  const length = headers.get("content-length");
  if (length !== null && /^[0-9]{1,15}$/.test(length))
    return { kind: "length", bytes: Number(length) };
  return { kind: minorVersion === 1 ? "chunked" : "connection" };
}

/** The field that says so; of an answer without a body, the one about the body that there would be. */
export function framingField(
  framing: BodyFraming,
  { status, headers, body }: ClientAnswer,
): string {
  if (framing.kind === "length") return `content-length: ${framing.bytes}\r\n`;
  if (framing.kind === "chunked") return "transfer-encoding: chunked\r\n";
  if (framing.kind === "connection" || status === 204) return "";
  const length = body instanceof Uint8Array ? body.length : headers.get("content-length");
  return length === null ? "" : `content-length: ${length}\r\n`;
}
