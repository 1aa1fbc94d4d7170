import { answerHeadBytesMax, answerLinesMax } from "#limits/http.ts";
import { carriageReturn, newline } from "#wire/ascii.ts";
import type { AnswerHead } from "./answer.ts";
import { HttpFault, malformed } from "./http-fault.ts";

/** The head of an answer in HTTP/1.0 or 1.1. */
export type ParsedHead = AnswerHead & {
  readonly statusText: string;
  /** 0 or 1. */
  readonly minorVersion: number;
};

const noBytes = new Uint8Array();

/** Gathers the bytes of a head until the empty line behind it. */
export class HeadGatherer {
  /** The first ones of the head; the room behind them grows with it. */
  #room: Uint8Array = noBytes;
  #size = 0;

  /** The head, and the bytes behind it; undefined while it is not complete. Throws HttpFault where it is too long. */
  push(bytes: Uint8Array): { readonly head: Uint8Array; readonly rest: Uint8Array } | undefined {
    const known = this.#size;
    // Most heads come in one piece.
    const all = known === 0 ? bytes : this.#with(bytes);
    const end = endOfHead(all, Math.max(0, known - headEndBytes));
    if ((end ?? all.length) > answerHeadBytesMax) throw new HttpFault("HPE_HEADER_OVERFLOW");
    if (end === undefined) {
      if (known === 0) this.#with(bytes);
      return undefined;
    }
    this.#room = noBytes;
    this.#size = 0;
    return { head: all.subarray(0, end), rest: all.subarray(end) };
  }

  #with(bytes: Uint8Array): Uint8Array {
    const size = this.#size + bytes.length;
    if (size > this.#room.length) {
      const room = new Uint8Array(2 * size);
      room.set(this.#room.subarray(0, this.#size));
      this.#room = room;
    }
    this.#room.set(bytes, this.#size);
    this.#size = size;
    return this.#room.subarray(0, size);
  }
}

/** Bytes of the end of a head that may have come before its last one. */
const headEndBytes = 3;

/** The index behind the first empty line, from which on the search begins at `from`. */
function endOfHead(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(newline, from); at >= 0; at = bytes.indexOf(newline, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
    if (bytes[next] === newline) return next + 1;
  }
  return undefined;
}

const statusLine = /^HTTP\/1\.([01]) ([0-9]{3})(?: (.*))?$/;
/** Any control character but the tab. */
// oxlint-disable-next-line no-control-regex -- these are what a field may not have (RFC 9110 5.5).
const control = /[\0-\x08\x0a-\x1f\x7f]/;
/** White space at either end; a run in the middle is read once, however long it is. */
const outerSpace = /^[ \t]+|(?<![ \t])[ \t]+$/g;
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Reads a complete head. A line may end without a carriage return, as RFC 9112 2.2 allows. Throws HttpFault. */
export function parseHead(bytes: Uint8Array): ParsedHead {
  const text = latin1Of(bytes);
  const lines = text.split("\n");
  if (lines.length > answerLinesMax) throw new HttpFault("HPE_HEADER_OVERFLOW");
  const [, minor, status, statusText = ""] = statusLine.exec(checked(lines[0])) ?? [];
  if (minor === undefined || status === undefined) throw malformed();
  const headers = new Headers();
  for (const [name, value] of fieldsOf(lines)) headers.append(name, value);
  return { minorVersion: Number(minor), status: Number(status), statusText, headers };
}

/** The fields; one that old servers continue in the next line has a space there (RFC 9112 5.2). */
function fieldsOf(lines: readonly string[]): readonly (readonly [string, string])[] {
  const fields: [name: string, value: string][] = [];
  // The first line is the status; the last two are the empty one, and the text behind it, which is empty too.
  for (let at = 1; at < lines.length - 2; at += 1) {
    const line = checked(lines[at]);
    const last = fields.at(-1);
    if (line.startsWith(" ") || line.startsWith("\t")) {
      if (!last) throw malformed();
      last[1] += ` ${line.replaceAll(outerSpace, "")}`;
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    if (colon < 0 || !fieldName.test(name)) throw malformed();
    // `Headers` leaves out the white space around it.
    fields.push([name, line.slice(colon + 1)]);
  }
  return fields;
}

/** A line without its end. */
function checked(line: string = ""): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (control.test(text)) throw malformed();
  return text;
}

/** Not by a `TextDecoder`, whose Latin-1 is that of Windows, with characters that a header cannot have. */
function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}
