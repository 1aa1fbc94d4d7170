import type { JsonObject } from "#wire/json.ts";
import { RawJson } from "./raw-json.ts";
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  doubleQuote,
  isJsonSpace,
  openBrace,
  openBracket,
} from "#kit/text/ascii.ts";

// The members that a log reader uses. For an array, the members of each element.
export type WantedMembers = { readonly [name: string]: WantedValue };

// A `time` becomes milliseconds since 1970 if `readTime` can read it, and otherwise the value as logged.
// A `raw` value stays bytes until the reader asks for it.
type WantedValue = "value" | "time" | "raw" | WantedMembers | RawTextOrMembers;

// A text stays bytes. An object or array is parsed for the members.
type RawTextOrMembers = readonly ["raw", WantedMembers];

type Node = {
  readonly name: string;
  readonly key: Uint8Array;
  readonly form: "value" | "time" | "raw" | "members";
  readonly isTextRaw: boolean;
  // The index of a member is the hash of its name, so most indexes are unused.
  readonly members: readonly (Node | undefined)[];
  // The last text of this member: the next is often the same. `lastBytes` includes the quotes; `lastText` is parsed.
  lastBytes: Uint8Array;
  lastText: string;
  textChanges: number;
};

const hashMask = 0x3ff;

const rememberedTextBytesMax = 128;

// A member whose text changes more often is probably an id, so its new texts are not remembered.
const textChangesMax = 100;

function makeNode(name: string, wanted: WantedValue): Node {
  const described = isRawTextOrMembers(wanted) ? wanted[1] : wanted;
  const names = typeof described === "string" ? {} : described;
  const members: (Node | undefined)[] = Array.from({ length: hashMask + 1 });
  for (const [memberName, member] of Object.entries(names)) {
    const node = makeNode(memberName, member);
    const hash = hashBytes(node.key, 0, node.key.length) & hashMask;
    if (members[hash]) throw new Error(`names with equal hashes: ${memberName}`);
    members[hash] = node;
  }
  const form = typeof described === "string" ? described : "members";
  return {
    name,
    key: Buffer.from(name),
    form,
    isTextRaw: form === "raw" || isRawTextOrMembers(wanted),
    members: form === "members" ? members : [],
    lastBytes: new Uint8Array(),
    lastText: "",
    textChanges: 0,
  };
}

function isRawTextOrMembers(wanted: WantedValue): wanted is RawTextOrMembers {
  return Array.isArray(wanted);
}

function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  return hash;
}

/** Parses the wanted members of a line and skips everything else, several times as fast as JSON.parse. */
export class MemberParser {
  readonly #root: Node;
  #bytes: Buffer = Buffer.alloc(0);
  #end = 0;
  #at = 0;
  #isFaulty = false;

  constructor(wanted: WantedMembers) {
    this.#root = makeNode("", wanted);
  }

  // Undefined if the parser gives up. The caller then tries JSON.parse.
  parse(bytes: Buffer, from: number, to: number): JsonObject | undefined {
    this.#bytes = bytes;
    this.#end = to;
    this.#at = from;
    this.#isFaulty = false;
    this.#skipSpace();
    if (bytes[this.#at] !== openBrace) return undefined;
    const value = this.#readObject(this.#root);
    this.#skipSpace();
    return this.#isFaulty || this.#at !== this.#end ? undefined : value;
  }

  #readObject(node: Node): JsonObject {
    const found: { [name: string]: unknown } = {};
    this.#at += 1;
    this.#skipSpace();
    if (this.#bytes[this.#at] === closeBrace) {
      this.#at += 1;
      return found;
    }
    while (!this.#isFaulty) {
      const member = this.#readKey(node);
      this.#expect(colon);
      if (member) found[member.name] = this.#readValue(member);
      else this.#skipValue();
      if (!this.#moveToNext(closeBrace)) break;
    }
    return found;
  }

  #readKey(node: Node): Node | undefined {
    if (this.#bytes[this.#at] !== doubleQuote) {
      this.#isFaulty = true;
      return undefined;
    }
    const from = this.#at + 1;
    const to = this.#findKeyEnd(from);
    this.#at = to + 1;
    const member = node.members[hashBytes(this.#bytes, from, to) & hashMask];
    return member && this.#equals(member.key, from, to) ? member : undefined;
  }

  // An escape in a name is legal, but no client writes one, so the parser gives up.
  #findKeyEnd(from: number): number {
    for (let at = from; at < this.#end; at += 1) {
      const byte = this.#bytes[at];
      if (byte === doubleQuote) return at;
      if (byte === backslash) break;
    }
    this.#isFaulty = true;
    return this.#end;
  }

  #readValue(node: Node): unknown {
    this.#skipSpace();
    const from = this.#at;
    const byte = this.#bytes[from];
    if (node.form === "members" && byte === openBrace) return this.#readObject(node);
    if (node.form === "members" && byte === openBracket) return this.#readArray(node);
    if (node.form === "value" && byte === doubleQuote) return this.#readText(node);
    this.#skipValue();
    return this.#isFaulty ? undefined : this.#readSkipped(node, from);
  }

  #readSkipped(node: Node, from: number): unknown {
    const isRaw = this.#bytes[from] === doubleQuote ? node.isTextRaw : node.form === "raw";
    if (isRaw) return new RawJson(this.#bytes, from, this.#at);
    const time = node.form === "time" ? readTime(this.#bytes, from, this.#at) : undefined;
    return time ?? this.#parseSlice(from);
  }

  #readArray(node: Node): readonly unknown[] {
    const elements: unknown[] = [];
    this.#at += 1;
    this.#skipSpace();
    if (this.#bytes[this.#at] === closeBracket) {
      this.#at += 1;
      return elements;
    }
    do elements.push(this.#readValue(node));
    while (!this.#isFaulty && this.#moveToNext(closeBracket));
    return elements;
  }

  #readText(node: Node): unknown {
    const from = this.#at;
    const { lastBytes, lastText } = node;
    if (lastBytes.length > 0 && this.#equals(lastBytes, from, from + lastBytes.length)) {
      this.#at = from + lastBytes.length;
      return lastText;
    }
    this.#skipString();
    if (this.#isFaulty) return undefined;
    const text = this.#parseSlice(from);
    if (node.textChanges < textChangesMax) {
      node.textChanges += 1;
      const isRemembered = typeof text === "string" && this.#at - from <= rememberedTextBytesMax;
      node.lastBytes = Buffer.from(this.#bytes.subarray(from, isRemembered ? this.#at : from));
      node.lastText = isRemembered ? text : "";
    }
    return text;
  }

  #parseSlice(from: number): unknown {
    const to = this.#at;
    const integer = readDigits(this.#bytes, from, to);
    if (integer !== undefined) return integer;
    if (isPlainText(this.#bytes, from, to)) return this.#bytes.toString("latin1", from + 1, to - 1);
    try {
      return JSON.parse(this.#bytes.toString("utf8", from, to));
    } catch {
      this.#isFaulty = true;
      return undefined;
    }
  }

  #skipValue(): void {
    this.#skipSpace();
    const byte = this.#bytes[this.#at];
    if (byte === doubleQuote) this.#skipString();
    else if (byte === openBrace || byte === openBracket) this.#skipNested();
    else this.#skipLiteral();
  }

  #skipLiteral(): void {
    const from = this.#at;
    while (this.#at < this.#end && !endsLiteral(this.#bytes[this.#at] ?? 0)) this.#at += 1;
    if (this.#at === from) this.#isFaulty = true;
  }

  #skipNested(): void {
    let depth = 0;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at];
      if (byte === doubleQuote) {
        this.#skipString();
        continue;
      }
      this.#at += 1;
      if (byte === openBrace || byte === openBracket) depth += 1;
      else if (byte === closeBrace || byte === closeBracket) depth -= 1;
      if (depth === 0) return;
    }
    this.#isFaulty = true;
  }

  #skipString(): void {
    const end = findStringEnd(this.#bytes, this.#at + 1, this.#end);
    if (end < 0) this.#isFaulty = true;
    this.#at = end < 0 ? this.#end : end;
  }

  #equals(expected: Uint8Array, from: number, to: number): boolean {
    if (to - from !== expected.length || to > this.#end) return false;
    for (let at = 0; at < expected.length; at += 1) {
      if (expected[at] !== this.#bytes[from + at]) return false;
    }
    return true;
  }

  // Moves past a comma or the closing bracket. False after the bracket, or if neither follows.
  #moveToNext(close: number): boolean {
    this.#skipSpace();
    const byte = this.#bytes[this.#at];
    this.#at += 1;
    if (byte === close) return false;
    if (byte !== comma) this.#isFaulty = true;
    this.#skipSpace();
    return !this.#isFaulty;
  }

  #expect(byte: number): void {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== byte) this.#isFaulty = true;
    this.#at += 1;
    this.#skipSpace();
  }

  #skipSpace(): void {
    while (this.#at < this.#end && isJsonSpace(this.#bytes[this.#at] ?? 0)) this.#at += 1;
  }
}

function endsLiteral(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || isJsonSpace(byte);
}

const digitsMax = 15;

function readDigits(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (to - from > digitsMax || (bytes[from] === 0x30 && to - from > 1)) return undefined;
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

// `findStringEnd` scans this many bytes before it calls `indexOf`, which costs more for a short string.
const scannedBytes = 48;

// The position after the closing quote, or -1.
function findStringEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const scanEnd = Math.min(end, at + scannedBytes);
    for (; at < scanEnd; at += 1) {
      const byte = bytes[at];
      if (byte === doubleQuote) return at + 1;
      if (byte === backslash) at += 1;
    }
    const quote = at < end ? bytes.indexOf(doubleQuote, at) : -1;
    if (quote < 0 || quote >= end) return -1;
    if (!isEscaped(bytes, at, quote)) return quote + 1;
    at = quote + 1;
  }
  return -1;
}

function isEscaped(bytes: Uint8Array, from: number, quote: number): boolean {
  let first = quote;
  while (first > from && bytes[first - 1] === backslash) first -= 1;
  return (quote - first) % 2 === 1;
}

const plainTextBytesMax = 128;

function isPlainText(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== doubleQuote || to - from > plainTextBytesMax) return false;
  for (let at = from + 1; at < to - 1; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte > 0x7e || byte === backslash) return false;
  }
  return true;
}

const timeShape = Buffer.from('"dddd-dd-ddTdd:dd:dd.dddZ"');

const digitMark = 0x64;

// Reads a UTC time with milliseconds, as clients write it. Undefined for another form, and for days 29 to 31, because
// some months lack them.
function readTime(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (!hasShape(bytes, from, to)) return undefined;
  const readTwo = (at: number): number =>
    ((bytes[from + at] ?? 0) - 0x30) * 10 + (bytes[from + at + 1] ?? 0) - 0x30;
  const year = readTwo(1) * 100 + readTwo(3);
  const [month, day] = [readTwo(6), readTwo(9)];
  const [hour, minute, second] = [readTwo(12), readTwo(15), readTwo(18)];
  const isDate = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  if (!isDate || hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = readTwo(21) * 10 + (bytes[from + 23] ?? 0) - 0x30;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

function hasShape(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== timeShape.length) return false;
  for (let at = 0; at < timeShape.length; at += 1) {
    const byte = bytes[from + at] ?? 0;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (timeShape[at] === digitMark ? !isDigit : byte !== timeShape[at]) return false;
  }
  return true;
}
