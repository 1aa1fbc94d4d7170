import { carriageReturn, colon, newline, openBrace, space } from "#kit/text/ascii.ts";
import { joinBytes, type Line, LineGatherer } from "../line.ts";
import { findByte } from "../skimmer.ts";

export const eventFieldBytesMax = 256;

export type ServerEvent = {
  readonly line: Line;
  readonly id: string | undefined;
  readonly type?: string; // "" if the event has no type
  // The data that every client reads; may be empty. Undefined if every client reads all of `line`, or if `line.bytes`
  // is undefined.
  readonly plainLine?: Line | undefined;
};

export type StreamNote = { readonly id: string } | { readonly retryMs: number };

type Field = "data" | "id" | "event" | "retry" | "other";

const fields = (["data", "id", "event", "retry"] as const).map((name) => ({
  name,
  bytes: new TextEncoder().encode(name),
}));

// No two fields begin with the same byte.
const fieldByFirstByte = Array.from({ length: 256 }, (_, first) =>
  fields.find(({ bytes }) => bytes[0] === first),
);

// `event`, a colon and a space.
const fieldNameBytesMax = 7;

const byteOrderMarkBytes = 3;

// Keeps U+FEFF in values: it is a byte order mark only at the start of the stream.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const newlineBytes = new Uint8Array([newline]);
const noBytes = new Uint8Array();

/**
 * Where limits are enforced, `takesAll` is set, because clients differ: mcp-go reads events of any type, httpx ends
 * lines at U+2028. A doubtful line is not a data line, but may hold a message. With `takesAll`, events of any type are
 * taken, and doubtful lines count as data. `plainLine` is the data without doubtful lines.
 */
export class EventReader {
  readonly #take: (event: ServerEvent, from: number, to: number) => void;
  readonly #takesAll: boolean;
  readonly #note: ((note: StreamNote) => void) | undefined;
  readonly #data = new LineGatherer();
  #hasData = false;
  #hasPlainData = false;
  #hasDoubtfulData = false;
  #isLineDoubtful = false;
  #isValueAscii = true;
  // `#plainBytes` counts the data before the first doubtful line; `#laterPlainData` is the plain data after it.
  #plainBytes = 0;
  readonly #laterPlainData = new LineGatherer();
  #hasIds = false;
  #id: readonly Uint8Array[] | undefined;
  #type: string | undefined;
  #field: Field | undefined;
  #head: Uint8Array = noBytes; // the start of a line, until its field is known
  #valueChunks: Uint8Array[] = [];
  #valueBytes = 0;
  #firstType: string | undefined;
  #isAfterReturn = false;
  #isFirstLine = true;
  // Offsets in the current chunk; 0 if the line or data began in an earlier one.
  #lineFrom = 0;
  #dataFrom: number | undefined;
  #bracedChunk: Uint8Array = noBytes;
  #nextBrace = -1;

  // `take` gets a message and its range in the chunk. The range starts at 0 if the message began in an earlier chunk.
  constructor(
    take: (event: ServerEvent, from: number, to: number) => void,
    note?: (note: StreamNote) => void,
    takesAll = false,
  ) {
    this.#take = take;
    this.#note = note;
    this.#takesAll = takesAll;
  }

  // True if the stream can be resumed: an event had an id, with or without data.
  get hasIds(): boolean {
    return this.#hasIds;
  }

  get firstType(): string | undefined {
    return this.#firstType;
  }

  // The offset of incomplete data, or else of an incomplete line.
  get dataFrom(): number | undefined {
    const isInLine = this.#head.length > 0 || this.#field !== undefined;
    return this.#dataFrom ?? (isInLine ? this.#lineFrom : undefined);
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    let from = this.#isAfterReturn && chunk[0] === newline ? 1 : 0;
    this.#isAfterReturn = false;
    this.#lineFrom = 0;
    if (this.#dataFrom !== undefined) this.#dataFrom = 0;
    const ends = new LineEnds(chunk);
    for (let end = ends.next(from); end >= 0; end = ends.next(from)) {
      const next = this.#skipLineEnd(chunk, end);
      if (end > from) this.#readSegment(chunk, from, end);
      this.#endLine(next);
      from = next;
      this.#lineFrom = next;
    }
    if (from < chunk.length) this.#readSegment(chunk, from, chunk.length);
  }

  #skipLineEnd(chunk: Uint8Array, end: number): number {
    const next = end + 1;
    if (chunk[end] !== carriageReturn) return next;
    this.#isAfterReturn = next === chunk.length;
    return chunk[next] === newline ? next + 1 : next;
  }

  #readSegment(chunk: Uint8Array, from: number, to: number): void {
    if (this.#field !== undefined) {
      this.#add(chunk, from, to);
      return;
    }
    const isSplit = this.#head.length > 0;
    if (!isSplit && !this.#isFirstLine && (to < chunk.length || to - from >= fieldNameBytesMax)) {
      this.#beginLine(chunk, from, to);
      return;
    }
    const segment = chunk.subarray(from, to);
    const head = isSplit ? joinBytes([this.#head, segment]) : segment;
    const neededBytes = fieldNameBytesMax + (this.#isFirstLine ? byteOrderMarkBytes : 0);
    if (head.length < neededBytes) this.#head = head;
    else this.#beginLine(head, 0, head.length);
  }

  #beginLine(line: Uint8Array, start: number, to: number): void {
    const hasMark = this.#isFirstLine && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
    const from = hasMark ? start + byteOrderMarkBytes : start;
    const field = matchField(line, from, to);
    this.#field = field?.name ?? "other";
    this.#head = noBytes;
    if (this.#field === "data") this.#beginData();
    const value = field ? from + field.bytes.length + 1 : from;
    this.#add(line, field && line[value] === space ? value + 1 : value, to);
  }

  #beginData(): void {
    if (this.#isLineDoubtful) this.#beginDoubtfulData();
    else this.#beginPlainData();
    if (this.#hasData) this.#data.add(newlineBytes);
    this.#hasData = true;
    this.#dataFrom ??= this.#lineFrom;
  }

  #beginDoubtfulLine(): void {
    this.#isLineDoubtful = true;
    this.#beginData();
    for (const bytes of this.#valueChunks) this.#data.add(bytes, 0, bytes.length);
  }

  #beginDoubtfulData(): void {
    if (!this.#hasDoubtfulData) this.#plainBytes = this.#data.size;
    this.#hasDoubtfulData = true;
  }

  #beginPlainData(): void {
    if (this.#hasDoubtfulData && this.#hasPlainData) this.#laterPlainData.add(newlineBytes);
    this.#hasPlainData = true;
  }

  #add(chunk: Uint8Array, from: number, to: number): void {
    if (from >= to) return;
    if (this.#takesAll && !this.#isLineDoubtful && this.#mayHoldData(chunk, from, to))
      this.#beginDoubtfulLine();
    const isData = this.#field === "data";
    if (isData || this.#isLineDoubtful) this.#data.add(chunk, from, to);
    if (isData && this.#hasDoubtfulData) this.#laterPlainData.add(chunk, from, to);
    if (isData || this.#field === "other") return;
    const room = eventFieldBytesMax + 1 - this.#valueBytes;
    if (room > 0) this.#valueChunks.push(chunk.slice(from, Math.min(to, from + room)));
    this.#valueBytes += to - from;
  }

  // In an unknown field, a brace may begin a message. The value of a known field is judged at its end, or when it
  // becomes too long to keep.
  #mayHoldData(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#field === "data") return false;
    if (this.#field !== "other") {
      this.#isValueAscii &&= isPrintableAscii(bytes, from, to);
      return !this.#isValueAscii && this.#valueBytes + to - from > eventFieldBytesMax;
    }
    if (this.#bracedChunk !== bytes) this.#nextBrace = -1;
    this.#bracedChunk = bytes;
    if (this.#nextBrace < from) {
      const found = findByte(bytes, openBrace, from);
      this.#nextBrace = found < 0 ? Infinity : found;
    }
    return this.#nextBrace < to;
  }

  #endLine(next: number): void {
    if (this.#field === undefined && this.#head.length > 0) {
      this.#beginLine(this.#head, 0, this.#head.length);
    }
    if (this.#field === undefined) this.#dispatch(next);
    if (!this.#isValueAscii) this.#endUnusualValue();
    if (this.#field === "id") this.#endId();
    // `long` stands for any type that is too long to keep.
    if (this.#field === "event") this.#type = this.#decodeValue() ?? "long";
    if (this.#field === "retry") this.#endRetry(this.#decodeValue() ?? "");
    this.#field = undefined;
    this.#isLineDoubtful = false;
    this.#isFirstLine = false;
    if (this.#valueBytes === 0) return;
    this.#valueChunks = [];
    this.#valueBytes = 0;
  }

  #endUnusualValue(): void {
    this.#isValueAscii = true;
    if (this.#isLineDoubtful || !mayHideField(joinBytes(this.#valueChunks))) return;
    this.#beginDoubtfulLine();
  }

  // By the HTML standard, an id with U+0000 is ignored.
  #endId(): void {
    if (this.#valueChunks.some((bytes) => bytes.includes(0))) return;
    this.#id = this.#valueBytes > eventFieldBytesMax ? undefined : this.#valueChunks;
    // An empty id resumes nothing.
    if (this.#valueBytes > 0) this.#hasIds = true;
  }

  #endRetry(text: string): void {
    if (/^\d+$/.test(text)) this.#note?.({ retryMs: Number(text) });
  }

  #decodeValue(): string | undefined {
    return this.#valueBytes > eventFieldBytesMax ? undefined : decode(this.#valueChunks);
  }

  #dispatch(next: number): void {
    const type = this.#type ?? "";
    this.#type = undefined;
    if (this.#hasData) this.#complete(type, next);
    else if (this.#id) this.#noteId();
  }

  #complete(type: string, next: number): void {
    const line = this.#data.take();
    const plainLine = this.#takePlainLine(line);
    const from = this.#dataFrom ?? next;
    this.#firstType ??= type === "" ? "message" : type;
    this.#hasData = false;
    this.#hasPlainData = false;
    this.#dataFrom = undefined;
    const isMessage = this.#takesAll || type === "" || type === "message";
    if (line.size === 0 || !isMessage) return this.#noteId();
    const id = this.#id;
    this.#id = undefined;
    this.#take({ line, id: id && decode(id), type, plainLine }, from, next);
  }

  #takePlainLine({ bytes }: Line): Line | undefined {
    if (!this.#hasDoubtfulData) return undefined;
    this.#hasDoubtfulData = false;
    const later = this.#laterPlainData.take();
    if (!bytes) return undefined;
    if (this.#plainBytes === 0) return later;
    const plain = joinBytes([bytes.subarray(0, this.#plainBytes), later.bytes ?? noBytes]);
    return { bytes: plain, size: plain.length, skim: undefined };
  }

  #noteId(): void {
    const id = this.#id;
    this.#id = undefined;
    if (id && this.#note) this.#note({ id: decode(id) });
  }
}

function matchField(line: Uint8Array, from: number, to: number) {
  const field = fieldByFirstByte[line[from] ?? 0];
  const end = from + (field?.bytes.length ?? 0);
  if (!field || end > to || (end < to && line[end] !== colon)) return undefined;
  for (let at = from; at < end; at += 1) if (line[at] !== field.bytes[at - from]) return undefined;
  return field;
}

function isPrintableAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < space || byte > 0x7e) return false;
  }
  return true;
}

// Clients in Python and Node, which decode UTF-8 or ISO 8859-1, also end lines at U+2028, U+2029 and control
// characters. The text after such a character may be a field or a message.
export function mayHideField(value: Uint8Array): boolean {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
  return [bytes.toString(), bytes.toString("latin1")].some((text) => hiddenField.test(text));
}

const hiddenField = /[\p{Cc}\u2028\u2029].*(?:data|\{)/isu;

function decode(chunks: readonly Uint8Array[]): string {
  return decoder.decode(joinBytes(chunks));
}

// Remembers the next CR and LF. Otherwise, a chunk without CR would be searched to its end for every line.
class LineEnds {
  readonly #chunk: Uint8Array;
  #lineFeedAt: number;
  #carriageReturnAt: number;

  constructor(chunk: Uint8Array) {
    this.#chunk = chunk;
    this.#lineFeedAt = chunk.indexOf(newline);
    this.#carriageReturnAt = chunk.indexOf(carriageReturn);
  }

  next(from: number): number {
    if (this.#lineFeedAt >= 0 && this.#lineFeedAt < from)
      this.#lineFeedAt = findByte(this.#chunk, newline, from);
    if (this.#carriageReturnAt >= 0 && this.#carriageReturnAt < from) {
      this.#carriageReturnAt = findByte(this.#chunk, carriageReturn, from);
    }
    if (this.#lineFeedAt < 0 || this.#carriageReturnAt < 0) {
      return Math.max(this.#lineFeedAt, this.#carriageReturnAt);
    }
    return Math.min(this.#lineFeedAt, this.#carriageReturnAt);
  }
}
