import { colon, newline, openBrace, space } from "#kit/text/ascii.ts";
import { joinBytes, type Line, LineGatherer } from "../line.ts";

// A longer id is not remembered.
export const eventFieldBytesMax = 256;

export type ServerEvent = {
  readonly line: Line;
  readonly id: string | undefined;
};

export type StreamNote = { readonly id: string } | { readonly retryMs: number };

type Field = "data" | "id" | "event" | "retry" | "other";

const fields = (["data", "id", "event", "retry"] as const).map((name) => ({
  name,
  bytes: new TextEncoder().encode(name),
}));

/** No two begin with the same byte. */
const fieldByFirst = Array.from({ length: 256 }, (_, first) =>
  fields.find(({ bytes }) => bytes[0] === first),
);

const carriageReturn = 13;

const headBytes = 7;

/** U+FEFF may stand at the beginning of a stream. */
const markBytes = 3;

// A mark that is not at the beginning of the stream is a character.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const newlineBytes = new Uint8Array([newline]);
const noBytes = new Uint8Array();

const nearBytes = 16;

/**
 * Server-sent events in any chunks: lines end with LF, CR or both, several lines of data are one message. Comments,
 * events without data, and types that most clients of MCP ignore are not messages; their ids are notes. mcp-go reads
 * events of any type, httpx ends a line at U+2028 and others, some clients find data behind blanks: with `takesAll`, for limits,
 * all events are taken, and every line in which a reader may find a message is data. Keeps as much of a message as of any line.
 */
export class EventReader {
  readonly #take: (event: ServerEvent, from: number, to: number) => void;
  readonly #takesAll: boolean;
  readonly #note: ((note: StreamNote) => void) | undefined;
  readonly #data = new LineGatherer();
  #hasData = false;
  #hasIds = false;
  #id: readonly Uint8Array[] | undefined;
  #type: string | undefined;
  #field: Field | undefined;
  #head: Uint8Array = noBytes;
  /** The beginning of an id or a type, and its whole length. */
  #text: Uint8Array[] = [];
  #textBytes = 0;
  #firstType: string | undefined;
  #isAfterReturn = false;
  #isFirstLine = true;
  /** Where the line that is read begins in the chunk, and the event's data; 0 for earlier chunks. */
  #lineFrom = 0;
  #dataFrom: number | undefined;
  #searched: Uint8Array = noBytes;
  #brace = -1;

  /** `take` gets each message with its place in the chunk: from its first line of data, or 0 for one of an earlier chunk, to its end. */
  constructor(
    take: (event: ServerEvent, from: number, to: number) => void,
    note?: (note: StreamNote) => void,
    takesAll: boolean = false,
  ) {
    this.#take = take;
    this.#note = note;
    this.#takesAll = takesAll;
  }

  /** An event had an id, even one without data: the stream can be resumed. */
  get hasIds(): boolean {
    return this.#hasIds;
  }

  get firstType(): string | undefined {
    return this.#firstType;
  }

  /** Where data that is not complete begins in the last chunk, or may begin; 0 for earlier chunks, undefined without any. */
  get dataFrom(): number | undefined {
    return this.#head.length > 0 ? (this.#dataFrom ?? this.#lineFrom) : this.#dataFrom;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    let from = this.#isAfterReturn && chunk[0] === newline ? 1 : 0;
    this.#isAfterReturn = false;
    this.#lineFrom = 0;
    if (this.#dataFrom !== undefined) this.#dataFrom = 0;
    const ends = new LineEnds(chunk);
    for (let end = ends.next(from); end >= 0; end = ends.next(from)) {
      const next = this.#after(chunk, end);
      if (end > from) this.#part(chunk, from, end);
      this.#endLine(next);
      from = next;
      this.#lineFrom = next;
    }
    if (from < chunk.length) this.#part(chunk, from, chunk.length);
  }

  /** CR and LF together end one line. */
  #after(chunk: Uint8Array, end: number): number {
    const next = end + 1;
    if (chunk[end] !== carriageReturn) return next;
    this.#isAfterReturn = next === chunk.length;
    return chunk[next] === newline ? next + 1 : next;
  }

  #part(chunk: Uint8Array, from: number, to: number): void {
    if (this.#field !== undefined) {
      this.#add(chunk, from, to);
      return;
    }
    const isSplit = this.#head.length > 0;
    if (!isSplit && !this.#isFirstLine && (to < chunk.length || to - from >= headBytes)) {
      this.#begin(chunk, from, to);
      return;
    }
    const head = isSplit
      ? joinBytes([this.#head, chunk.subarray(from, to)])
      : chunk.subarray(from, to);
    const neededBytes = this.#isFirstLine ? markBytes + headBytes : headBytes;
    if (head.length < neededBytes) this.#head = head;
    else this.#begin(head, 0, head.length);
  }

  #begin(line: Uint8Array, start: number, to: number): void {
    const isMarked = this.#isFirstLine && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
    const from = isMarked ? start + markBytes : start;
    const field = fieldAt(line, from, to);
    this.#field = field?.name ?? "other";
    this.#head = noBytes;
    if (this.#field === "data") this.#beginData();
    const value = field ? from + field.bytes.length + 1 : from;
    this.#add(line, field && line[value] === space ? value + 1 : value, to);
  }

  #beginData(): void {
    this.#field = "data";
    if (this.#hasData) this.#data.add(newlineBytes);
    this.#hasData = true;
    this.#dataFrom ??= this.#lineFrom;
  }

  #add(chunk: Uint8Array, from: number, to: number): void {
    if (from >= to) return;
    if (this.#takesAll && this.#mayHoldData(chunk, from, to)) this.#beginData();
    if (this.#field === "data") this.#data.add(chunk, from, to);
    if (this.#field === "data" || this.#field === "other") return;
    const room = eventFieldBytesMax + 1 - this.#textBytes;
    if (room > 0) this.#text.push(chunk.slice(from, Math.min(to, from + room)));
    this.#textBytes += to - from;
  }

  /** True for a brace in a line that is not a field, and for signs in another field that may end a line. */
  #mayHoldData(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#field === "data") return false;
    if (this.#field !== "other") return !isPrintable(bytes, from, to);
    if (this.#searched !== bytes) this.#brace = -1;
    this.#searched = bytes;
    if (this.#brace < from) {
      const found = indexFrom(bytes, openBrace, from);
      this.#brace = found < 0 ? Infinity : found;
    }
    return this.#brace < to;
  }

  #endLine(next: number): void {
    if (this.#field === undefined && this.#head.length > 0) {
      this.#begin(this.#head, 0, this.#head.length);
    }
    switch (this.#field) {
      case undefined:
        this.#dispatch(next);
        break;
      case "id":
        this.#id = this.#textBytes > eventFieldBytesMax ? undefined : this.#text;
        this.#hasIds = true;
        break;
      case "event":
        this.#type = this.#textValue() ?? "long";
        break;
      case "retry":
        this.#endRetry(this.#textValue() ?? "");
        break;
      default:
    }
    this.#field = undefined;
    this.#isFirstLine = false;
    if (this.#textBytes === 0) return;
    this.#text = [];
    this.#textBytes = 0;
  }

  #endRetry(text: string): void {
    if (/^\d+$/.test(text)) this.#note?.({ retryMs: Number(text) });
  }

  #textValue(): string | undefined {
    return this.#textBytes > eventFieldBytesMax ? undefined : decoded(this.#text);
  }

  #dispatch(next: number): void {
    const type = this.#type ?? "";
    this.#type = undefined;
    if (this.#hasData) this.#complete(type, next);
    else if (this.#id) this.#noteId();
  }

  #complete(type: string, next: number): void {
    const line = this.#data.take();
    const from = this.#dataFrom ?? next;
    this.#firstType ??= type === "" ? "message" : type;
    this.#hasData = false;
    this.#dataFrom = undefined;
    const isMessage = this.#takesAll || type === "" || type === "message";
    if (line.size === 0 || !isMessage) {
      this.#noteId();
      return;
    }
    const id = this.#id;
    this.#id = undefined;
    this.#take({ line, id: id && decoded(id) }, from, next);
  }

  #noteId(): void {
    const id = this.#id;
    this.#id = undefined;
    if (id && this.#note) this.#note({ id: decoded(id) });
  }
}

function fieldAt(line: Uint8Array, from: number, to: number) {
  const field = fieldByFirst[line[from] ?? 0];
  const end = from + (field?.bytes.length ?? 0);
  if (!field || end > to || (end < to && line[end] !== colon)) return undefined;
  for (let at = from; at < end; at += 1) if (line[at] !== field.bytes[at - from]) return undefined;
  return field;
}

function isPrintable(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < space || byte > 0x7e) return false;
  }
  return true;
}

function decoded(parts: readonly Uint8Array[]): string {
  return decoder.decode(joinBytes(parts));
}

/** Looks for each kind once: a chunk without the other kind would be read again for each line. */
class LineEnds {
  readonly #chunk: Uint8Array;
  #feed: number;
  #back: number;

  constructor(chunk: Uint8Array) {
    this.#chunk = chunk;
    this.#feed = chunk.indexOf(newline);
    this.#back = chunk.indexOf(carriageReturn);
  }

  next(from: number): number {
    if (this.#feed >= 0 && this.#feed < from) this.#feed = indexFrom(this.#chunk, newline, from);
    if (this.#back >= 0 && this.#back < from) {
      this.#back = indexFrom(this.#chunk, carriageReturn, from);
    }
    const isFeed = this.#feed >= 0 && (this.#back < 0 || this.#feed < this.#back);
    return isFeed ? this.#feed : this.#back;
  }
}

/** The place of a byte from there. A search costs more than to read the bytes of a short line. */
function indexFrom(chunk: Uint8Array, byte: number, from: number): number {
  const near = Math.min(chunk.length, from + nearBytes);
  for (let at = from; at < near; at += 1) if (chunk[at] === byte) return at;
  return chunk.indexOf(byte, near);
}
