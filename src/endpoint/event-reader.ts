import { eventFieldBytesMax } from "#limits/http.ts";
import { newline } from "#wire/ascii.ts";
import { joinBytes } from "#wire/bytes.ts";
import { type Line, LineGatherer } from "#wire/line.ts";

/** The message of one event. */
export type ServerEvent = {
  readonly line: Line;
  /** Absent for an event without an id. */
  readonly id: string | undefined;
};

/** A fact about a stream that no message has: where it can be resumed, or how long to wait before. */
export type StreamNote = { readonly id: string } | { readonly retryMs: number };

type Field = "data" | "id" | "event" | "retry" | "other";

const fields = ["data", "id", "event", "retry"] as const;

const carriageReturn = 13;

/** The bytes of a line that name its field: `event: ` or `retry: `. */
const headBytes = 7;

/** The bytes of U+FEFF, which may stand at the beginning of a stream. */
const markBytes = 3;

const fieldHead = /^(data|id|event|retry)(?:: ?|$)/;

// A mark that is not at the beginning of the stream is a character.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const newlineBytes = new Uint8Array([newline]);

/**
 * Reads a stream of server-sent events, however it is cut into chunks, and takes each message in it: lines end with LF, CR
 * or both, several lines of data are one message, comments and events without data are none, and so are events of a type
 * that clients of MCP ignore; the ids of these are notes. Keeps as much of a message as of any line.
 */
export class EventReader {
  readonly #take: (event: ServerEvent) => void;
  readonly #note: (note: StreamNote) => void;
  readonly #data = new LineGatherer();
  #hasData = false;
  #hasIds = false;
  #id: string | undefined;
  #type: string | undefined;
  /** The field of the present line, once it is known. */
  #field: Field | undefined;
  #head: Uint8Array = new Uint8Array();
  /** The beginning of the value of an id or a type, and its whole length. */
  #text: Uint8Array[] = [];
  #textBytes = 0;
  #isAfterReturn = false;
  #isFirstLine = true;

  constructor(
    take: (event: ServerEvent) => void,
    note: (note: StreamNote) => void = () => undefined,
  ) {
    this.#take = take;
    this.#note = note;
  }

  /** True once an event had an id, also one without data: the stream can be resumed. */
  get hasIds(): boolean {
    return this.#hasIds;
  }

  /** True within an event that has data, or may begin to. */
  get isInData(): boolean {
    return this.#hasData || this.#head.length > 0;
  }

  /** True within an event that is too long: nothing of it is kept. */
  get isSkimming(): boolean {
    return this.#data.isSkimming;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    let from = this.#isAfterReturn && chunk[0] === newline ? 1 : 0;
    this.#isAfterReturn = false;
    const ends = new LineEnds(chunk);
    for (let end = ends.next(from); end >= 0; end = ends.next(from)) {
      this.#part(chunk.subarray(from, end));
      this.#endLine();
      from = this.#after(chunk, end);
    }
    this.#part(chunk.subarray(from));
  }

  /** The place after the end of a line: CR and LF together end one. */
  #after(chunk: Uint8Array, end: number): number {
    const next = end + 1;
    if (chunk[end] !== carriageReturn) return next;
    this.#isAfterReturn = next === chunk.length;
    return chunk[next] === newline ? next + 1 : next;
  }

  #part(part: Uint8Array): void {
    if (part.length === 0) return;
    if (this.#field !== undefined) {
      this.#add(part);
      return;
    }
    const head = this.#head.length === 0 ? part : joinBytes([this.#head, part]);
    const neededBytes = this.#isFirstLine ? markBytes + headBytes : headBytes;
    if (head.length < neededBytes) this.#head = copyOf(head);
    else this.#begin(head);
  }

  /** The field of a line becomes known: `head` has its name and the beginning of its value. */
  #begin(head: Uint8Array): void {
    const isMarked = this.#isFirstLine && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
    const line = isMarked ? head.subarray(markBytes) : head;
    const name = decoder.decode(line.subarray(0, headBytes));
    const [named = "", field] = fieldHead.exec(name) ?? [];
    this.#field = toField(field);
    this.#head = new Uint8Array();
    if (this.#field === "data") {
      if (this.#hasData) this.#data.add(newlineBytes);
      this.#hasData = true;
    }
    this.#add(line.subarray(named.length));
  }

  #add(part: Uint8Array): void {
    if (this.#field === "data") this.#data.add(part);
    if (this.#field === "data" || this.#field === "other" || part.length === 0) return;
    if (this.#textBytes <= eventFieldBytesMax) {
      this.#text.push(copyOf(part.subarray(0, eventFieldBytesMax + 1 - this.#textBytes)));
    }
    this.#textBytes += part.length;
  }

  #endLine(): void {
    if (this.#field === undefined && this.#head.length === 0) this.#dispatch();
    else {
      if (this.#field === undefined) this.#begin(this.#head);
      if (this.#field === "id") {
        this.#id = this.#textValue();
        this.#hasIds = true;
      }
      if (this.#field === "event") this.#type = this.#textValue() ?? "long";
      if (this.#field === "retry") this.#endRetry(this.#textValue() ?? "");
    }
    this.#field = undefined;
    this.#text = [];
    this.#textBytes = 0;
    this.#isFirstLine = false;
  }

  #endRetry(text: string): void {
    if (/^\d+$/.test(text)) this.#note({ retryMs: Number(text) });
  }

  /** Undefined for a value that is too long. */
  #textValue(): string | undefined {
    return this.#textBytes > eventFieldBytesMax ? undefined : decoder.decode(joinBytes(this.#text));
  }

  #dispatch(): void {
    const line = this.#data.take();
    const isMessage = this.#type === undefined || this.#type === "" || this.#type === "message";
    const id = this.#id;
    this.#hasData = false;
    this.#id = undefined;
    this.#type = undefined;
    if (line.size > 0 && isMessage) this.#take({ line, id });
    else if (id !== undefined) this.#note({ id });
  }
}

/** The lines of a chunk with their ends; the last one may have none. */
export function* linesIn(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
  const ends = new LineEnds(chunk);
  let from = 0;
  for (let end = ends.next(from); end >= 0; end = ends.next(from)) {
    const isPair = chunk[end] === carriageReturn && chunk[end + 1] === newline;
    const next = end + (isPair ? 2 : 1);
    yield chunk.subarray(from, next);
    from = next;
  }
  if (from < chunk.length) yield chunk.subarray(from);
}

/** Finds the ends of lines. Each kind is looked for once: a chunk without the other kind would be read again for each line. */
class LineEnds {
  readonly #chunk: Uint8Array;
  #feed: number;
  #back: number;

  constructor(chunk: Uint8Array) {
    this.#chunk = chunk;
    this.#feed = chunk.indexOf(newline);
    this.#back = chunk.indexOf(carriageReturn);
  }

  /** The first one from there on; -1 without one. */
  next(from: number): number {
    if (this.#feed >= 0 && this.#feed < from) this.#feed = this.#chunk.indexOf(newline, from);
    if (this.#back >= 0 && this.#back < from) {
      this.#back = this.#chunk.indexOf(carriageReturn, from);
    }
    const isFeed = this.#feed >= 0 && (this.#back < 0 || this.#feed < this.#back);
    return isFeed ? this.#feed : this.#back;
  }
}

function toField(name: string | undefined): Field {
  return fields.find((field) => field === name) ?? "other";
}

/**
 * Bytes of a chunk that outlast it: its memory may be given back. Not by `slice`, which is a view where a chunk is a `Buffer`,
 * as those of sockets are.
 */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
