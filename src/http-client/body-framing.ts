import type { AnswerHead } from "./answer.ts";
import { type BodyFraming, isBodiless, lengthOf } from "#http1/framing-fields.ts";
import { malformed } from "#http1/http-fault.ts";

/** The framing of the body of an answer (RFC 9112 6.3). Throws HttpFault for one that two programs could read in two ways. */
export function framingOf(method: string, { status, headers }: AnswerHead): BodyFraming {
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  const length = headers.get("content-length");
  if (coding !== undefined && length !== null) throw malformed();
  const bytes = length === null ? undefined : lengthOf(length);
  if (isBodiless(method, status)) return { kind: "none" };
  if (coding === "chunked") return { kind: "chunked" };
  // The name that older servers have for no coding (RFC 2616 3.6).
  if (coding === "identity") return { kind: "connection" };
  // A coding of the transfer that was not asked for.
  if (coding !== undefined) throw malformed();
  return bytes === undefined ? { kind: "connection" } : { kind: "length", bytes };
}

/** True for an answer without a body that announces one, which a server may still send. */
export function announcesBody({ headers }: AnswerHead): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) !== 0;
}

/** Seconds for which the server says that it keeps a connection without requests; undefined where it does not say. */
export function keptSeconds(headers: Headers): number | undefined {
  const [, seconds] =
    /(?:^|[,;\s])timeout=([0-9]{1,9})/i.exec(headers.get("keep-alive") ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
