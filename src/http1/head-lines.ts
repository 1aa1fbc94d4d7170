import { HttpFault, malformed } from "./http-fault.ts";

/** The lines of a head: the first one, and the fields behind it. */
export type HeadLines = { readonly start: string; readonly headers: Headers };

/** How a head is read. */
export type HeadRules = {
  readonly linesMax: number;
  /** True where a field may continue in the next line, as old servers write it (RFC 9112 5.2). */
  readonly mayFold: boolean;
};

/** Any control character but the tab. */
// oxlint-disable-next-line no-control-regex -- these are what a field may not have (RFC 9110 5.5).
const control = /[\0-\x08\x0a-\x1f\x7f]/;
/** White space at either end; a run in the middle is read once, however long it is. */
const outerSpace = /^[ \t]+|(?<![ \t])[ \t]+$/g;
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Reads a complete head. A line may end without a carriage return, as RFC 9112 2.2 allows. Throws HttpFault. */
export function readHead(bytes: Uint8Array, { linesMax, mayFold }: HeadRules): HeadLines {
  const lines = latin1Of(bytes).split("\n");
  if (lines.length > linesMax) throw new HttpFault("HPE_HEADER_OVERFLOW");
  const headers = new Headers();
  for (const [name, value] of fieldsOf(lines, mayFold)) headers.append(name, value);
  return { start: checked(lines[0]), headers };
}

/** The fields; one that continues in the next line has a space there. */
function fieldsOf(
  lines: readonly string[],
  mayFold: boolean,
): readonly (readonly [string, string])[] {
  const fields: [name: string, value: string][] = [];
  // The first line is the start; the last two are the empty one, and the text behind it, which is empty too.
  for (let at = 1; at < lines.length - 2; at += 1) {
    const line = checked(lines[at]);
    const last = fields.at(-1);
    if (line.startsWith(" ") || line.startsWith("\t")) {
      if (!last || !mayFold) throw malformed();
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
