import { tryParseJson } from "#kit/errors.ts";
import { frameKeys, subjectKeys } from "./message.ts";
import {
  space,
  backslash,
  carriageReturn,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  doubleQuote,
} from "#kit/text/ascii.ts";
import { findLenientName } from "./ambiguity.ts";

export type Member = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly text: string | undefined; // white space shortened; undefined for `params` and long values
};

export type Skim = {
  readonly shape: "object" | "array" | "other";
  readonly members: readonly Member[];
  readonly depth: number; // of the deepest bracket
  readonly structures: number; // opening brackets and commas outside strings
  // By name, the JSON text of each member of `params` that is in `subjectKeys`. Long texts are left out.
  readonly subjects: ReadonlyMap<string, string>;
  readonly isClosed: boolean; // no bracket or string is open
  // Set if readers may find different members, because some end the line at a CR, or because a name in `frameKeys` or
  // `subjectKeys` is unclear. A name is unclear if it is repeated, or if only lenient readers recognize it.
  readonly ambiguity: "id" | "members" | undefined;
  readonly hasZeroBytes: boolean;
};

export const skimTextBytesMax = 512;

const decoder = new TextDecoder();

const shortTextBytesMax = 64;

const isAscii = (byte: number): boolean => byte < 0x80;

// Collects the text of a key or value, up to a limit.
export class Capture {
  #bytes = new Uint8Array(shortTextBytesMax);
  #length = 0;
  #bytesMax = skimTextBytesMax;
  #isTooLong = false;
  #hasGap = false;

  restart(bytesMax: number = skimTextBytesMax): void {
    if (this.#bytes.length > shortTextBytesMax) this.#bytes = new Uint8Array(shortTextBytesMax);
    this.#length = 0;
    this.#bytesMax = bytesMax;
    this.#isTooLong = false;
    this.#hasGap = false;
  }

  add(chunk: Uint8Array, from: number, to: number): void {
    if (this.#isTooLong) return;
    this.#closeGap();
    const length = this.#length + to - from;
    if (length > this.#bytesMax) {
      this.#isTooLong = true;
      return;
    }
    this.#makeRoom(length);
    if (to - from > shortTextBytesMax) this.#bytes.set(chunk.subarray(from, to), this.#length);
    else
      for (let at = from; at < to; at += 1) this.#bytes[this.#length + at - from] = chunk[at] ?? 0;
    this.#length = length;
  }

  // A run of white space counts as at most one byte, so that padding pushes no value over the limit.
  addStructure(byte: number): void {
    if (this.#isTooLong) return;
    if (byte <= space) {
      this.#hasGap = true;
      return;
    }
    this.#closeGap();
    if (this.#length >= this.#bytesMax) this.#isTooLong = true;
    else this.#push(byte);
  }

  get text(): string | undefined {
    if (this.#isTooLong) return undefined;
    const bytes = this.#bytes.subarray(0, this.#length);
    // For a short name, calling a decoder costs more than everything else.
    const isPlain = bytes.length <= shortTextBytesMax && bytes.every(isAscii);
    return isPlain ? String.fromCharCode(...bytes) : decoder.decode(bytes);
  }

  #closeGap(): void {
    if (this.#hasGap && this.#length > 0) this.#push(space);
    this.#hasGap = false;
  }

  #push(byte: number): void {
    this.#makeRoom(this.#length + 1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #makeRoom(length: number): void {
    if (length <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * length);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}

export const skimMembersMax = 32;

// Larger than `skimTextBytesMax`, because an id may legally be long.
export const frameTextBytesMax = 64 * 1024;

type ObjectCursor = { expects: "key" | "value"; key: string };

// U+FEFF in UTF-8. Some programs begin their output with it.
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Finds the members of a message without parsing it, in constant memory. */
export class Skimmer {
  #offset = 0;
  #shape: Skim["shape"] | undefined;
  // If set, the message is neither an object nor a list, and the rest is skipped.
  #isBare = false;
  #depth = 0;
  #deepest = 0;
  #structures = 0;
  #isInString = false;
  #hasOddBackslashes = false; // at the end of the previous chunk
  readonly #top: ObjectCursor = { expects: "key", key: "" };
  #params: ObjectCursor | undefined; // set inside the object `params`
  #valueStart = 0;
  readonly #capture = new Capture();
  readonly #members: Member[] = [];
  readonly #kept = new Map<string, Member>();
  readonly #subjects = new Map<string, string>();
  readonly #seenSubjects = new Set<string>();
  #ambiguity: Skim["ambiguity"];
  #hasZeroBytes = false;
  // Some programs end a line at CR, and read the rest as another message.
  #hasCarriageReturn = false;
  readonly #keptKeys: ReadonlySet<string>;

  // Members with a key in `keptKeys` are found even after any number of other members.
  constructor(keptKeys: ReadonlySet<string> = frameKeys) {
    this.#keptKeys = keptKeys;
  }

  push(chunk: Uint8Array): void {
    let at = this.#skipByteOrderMark(chunk);
    while (at < chunk.length && !this.#isBare) {
      if (this.#isInString) at = this.#readString(chunk, at);
      else at = this.#shape ? this.#readStructure(chunk, at) : this.#readBeginning(chunk, at);
    }
    this.#offset += chunk.length;
  }

  skim(): Skim {
    return {
      shape: this.#shape ?? "other",
      members: [...this.#members, ...this.#kept.values()],
      depth: this.#deepest,
      structures: this.#structures,
      subjects: this.#subjects,
      isClosed: this.#depth === 0 && !this.#isInString,
      ambiguity: this.#ambiguity,
      hasZeroBytes: this.#hasZeroBytes,
    };
  }

  #skipByteOrderMark(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length && chunk[at] === byteOrderMark[this.#offset + at]) at += 1;
    return at;
  }

  // Reads up to the next quote in one step, because most bytes are in strings.
  #readString(chunk: Uint8Array, from: number): number {
    const found = findByte(chunk, doubleQuote, from);
    const end = found < 0 ? chunk.length : found;
    let backslashesFrom = end;
    while (backslashesFrom > from && chunk[backslashesFrom - 1] === backslash) backslashesFrom -= 1;
    const carried = backslashesFrom === from && this.#hasOddBackslashes ? 1 : 0;
    const isEscaped = (end - backslashesFrom + carried) % 2 === 1;
    if (found < 0) {
      this.#hasOddBackslashes = isEscaped;
      this.#capture.add(chunk, from, end);
      return end;
    }
    this.#hasOddBackslashes = false;
    this.#capture.add(chunk, from, found + 1);
    if (!isEscaped) this.#endString();
    return found + 1;
  }

  #readStructure(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? space;
    if (this.#hasCarriageReturn && byte > space) this.#noteAmbiguity("id");
    switch (byte) {
      case doubleQuote:
        this.#beginString();
        break;
      case openBrace:
      case openBracket:
        this.#open(byte);
        break;
      case closeBrace:
      case closeBracket:
        this.#close(at);
        break;
      case comma:
        this.#structures += 1;
        this.#endMember(at);
        break;
      case colon:
        if (this.#isAtKey()) return this.#beginValue(at);
        this.#readOther(byte);
        break;
      default:
        this.#readOther(byte);
    }
    this.#capture.addStructure(byte);
    return at + 1;
  }

  #cursor(): ObjectCursor | undefined {
    if (this.#depth === 1) return this.#top;
    return this.#depth === 2 ? this.#params : undefined;
  }

  #isAtKey(): boolean {
    return this.#cursor()?.expects === "key";
  }

  #beginString(): void {
    if (this.#isAtKey()) this.#capture.restart();
    this.#isInString = true;
  }

  #endString(): void {
    this.#isInString = false;
    const cursor = this.#cursor();
    if (cursor?.expects === "key") cursor.key = parseKey(this.#capture.text);
  }

  #beginValue(at: number): number {
    const cursor = this.#cursor();
    if (cursor) cursor.expects = "value";
    if (cursor === this.#top) {
      this.#valueStart = this.#offset + at + 1;
      this.#capture.restart(frameKeys.has(this.#top.key) ? frameTextBytesMax : skimTextBytesMax);
      if (this.#top.key === "params") this.#subjects.clear();
    } else {
      this.#capture.restart(frameTextBytesMax);
    }
    return at + 1;
  }

  #open(byte: number): void {
    this.#shape ??= byte === openBrace ? "object" : "array";
    this.#structures += 1;
    this.#depth += 1;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    const isParams = this.#depth === 2 && this.#top.key === "params";
    if (isParams && byte === openBrace && this.#top.expects === "value") {
      this.#params = { expects: "key", key: "" };
    }
  }

  #close(at: number): void {
    this.#endMember(at);
    if (this.#depth === 2) this.#params = undefined;
    if (this.#depth > 0) this.#depth -= 1;
  }

  #readOther(byte: number): void {
    if (byte === 0) this.#hasZeroBytes = true;
    if (byte === carriageReturn) this.#hasCarriageReturn = true;
  }

  #readBeginning(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? space;
    if (byte === openBrace || byte === openBracket) return this.#readStructure(chunk, at);
    this.#readOther(byte);
    if (byte <= space) return at + 1;
    this.#shape = "other";
    // A non-ASCII byte may begin Unicode white space. Clients may strip it and read a message after it, so the rest is
    // not skipped.
    this.#isBare = byte < 0x80;
    return at + 1;
  }

  #endMember(at: number): void {
    const cursor = this.#cursor();
    if (this.#shape !== "object" || cursor?.expects !== "value") return;
    cursor.expects = "key";
    const { key } = cursor;
    const lenientName = findLenientName(key, cursor !== this.#top);
    if (lenientName !== undefined) this.#noteAmbiguity(lenientName);
    if (cursor !== this.#top) {
      if (subjectKeys.has(key)) this.#keepSubject(key);
      return;
    }
    const isKept = this.#keptKeys.has(key);
    if (this.#kept.has(key)) this.#noteAmbiguity(key);
    if (!isKept && this.#members.length >= skimMembersMax) return;
    // Subjects inside `params` have overwritten the capture.
    const text = key === "params" ? undefined : this.#capture.text;
    const member = { key, start: this.#valueStart, end: this.#offset + at, text };
    if (isKept) this.#kept.set(key, member);
    else this.#members.push(member);
  }

  #noteAmbiguity(name: string): void {
    this.#ambiguity = name === "id" ? "id" : (this.#ambiguity ?? "members");
  }

  // If a name is repeated, its last member wins, as with JSON.parse.
  #keepSubject(key: string): void {
    const { text } = this.#capture;
    if (this.#seenSubjects.has(key)) this.#noteAmbiguity(key);
    this.#seenSubjects.add(key);
    if (text === undefined) this.#subjects.delete(key);
    else this.#subjects.set(key, text);
  }
}

export function skimBytes(bytes: Uint8Array, keptKeys?: ReadonlySet<string>): Skim {
  const skimmer = new Skimmer(keptKeys);
  skimmer.push(bytes);
  return skimmer.skim();
}

const scannedBytes = 32;

// `indexOf` costs more than scanning a few bytes.
export function findByte(chunk: Uint8Array, byte: number, from: number): number {
  const scanEnd = Math.min(chunk.length, from + scannedBytes);
  for (let at = from; at < scanEnd; at += 1) if (chunk[at] === byte) return at;
  return chunk.indexOf(byte, scanEnd);
}

const plainName = /^"[^"\\\p{Cc}]*"$/u;

function parseKey(text: string | undefined): string {
  if (text !== undefined && plainName.test(text)) return text.slice(1, -1);
  const key = tryParseJson(text);
  return typeof key === "string" ? key : "";
}

export function findMember(skim: Skim, key: string): Member | undefined {
  return skim.members.findLast((member) => member.key === key);
}

export function readSkimmedText({ subjects }: Skim, key: string): string | undefined {
  const value = tryParseJson(subjects.get(key));
  return typeof value === "string" ? value : undefined;
}
