import { STATUS_CODES } from "node:http";
import type { ClientAnswer } from "./client-request.ts";

/** The connection that an answer is written to, as its client knows it. */
export type AnsweredClient = {
  /** 0 or 1. */
  readonly minorVersion: number;
  /** True where the connection may carry another exchange. */
  readonly persists: boolean;
};

/** Fields of the connection, which are ours. */
const own: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "transfer-encoding",
]);

const beyondByte = /[\u0100-\uffff]/g;

/** The head of an answer in HTTP/1.1, whose framing is the field `framing`. The names and values of `Headers` hold no end of a line. */
export function answerHead(
  { status, statusText = STATUS_CODES[status] ?? "", headers }: ClientAnswer,
  framing: string,
  client: AnsweredClient,
): Uint8Array {
  let head = `HTTP/1.1 ${status} ${statusText}\r\n`;
  // Iterated in this way, no array is made for each of them.
  headers.forEach((value, name) => {
    if (!own.has(name)) head += `${name}: ${value}\r\n`;
  });
  if (!headers.has("date")) head += `date: ${httpDate()}\r\n`;
  // A character of two bytes would be cut to one, which may end the line.
  const sent = beyondByte.test(head) ? head.replaceAll(beyondByte, "?") : head;
  return Buffer.from(`${sent}${connectionField(client)}${framing}\r\n`, "latin1");
}

function connectionField({ minorVersion, persists }: AnsweredClient): string {
  if (!persists) return "connection: close\r\n";
  return minorVersion === 0 ? "connection: keep-alive\r\n" : "";
}

const dated = { second: -1, text: "" };

/** The time in the form of HTTP, made once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dated.second) {
    dated.second = second;
    dated.text = new Date(second * 1000).toUTCString();
  }
  return dated.text;
}

const encoder = new TextEncoder();
const chunkEnd = encoder.encode("\r\n");

/** A piece of a body, which is not empty, as a chunk (RFC 9112 7.1). */
export function chunkOf(piece: Uint8Array): readonly Uint8Array[] {
  return [encoder.encode(`${piece.length.toString(16)}\r\n`), piece, chunkEnd];
}

/** The end of a body in chunks. */
export const lastChunk: Uint8Array = encoder.encode("0\r\n\r\n");
