import { skimMembersMax } from "#limits.ts";
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  space,
} from "./ascii.ts";
import { Capture } from "./capture.ts";
import type { Member, Skim } from "./skim.ts";

/**
 * Reads the structure of one JSON text of any length and depth in constant memory, chunk by chunk. This finds
 * the id of a message that is too long or too deep to parse.
 */
export class Skimmer {
  /** Bytes of the chunks before this one. */
  #offset = 0;
  #shape: Skim["shape"] | undefined;
  #depth = 0;
  #deepest = 0;
  #structures = 0;
  #inString = false;
  #oddBackslashes = false;
  #expects: "key" | "value" = "key";
  #key = "";
  #valueStart = 0;
  /** Of the current key or value at the top level. */
  readonly #capture = new Capture();
  readonly #members: Member[] = [];

  /** Reads the next chunk. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#inString ? this.#readString(chunk, at) : this.#readStructure(chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** The structure of all chunks so far. */
  skim(): Skim {
    return {
      shape: this.#shape ?? "other",
      members: this.#members,
      depth: this.#deepest,
      structures: this.#structures,
      closed: this.#depth === 0 && !this.#inString,
    };
  }

  /** Reads to the end of the string or of the chunk in one step: most bytes are in strings. */
  #readString(chunk: Uint8Array, from: number): number {
    const found = chunk.indexOf(quote, from);
    const end = found < 0 ? chunk.length : found;
    let run = end;
    while (run > from && chunk[run - 1] === backslash) run -= 1;
    const carried = run === from && this.#oddBackslashes ? 1 : 0;
    const isEscaped = (end - run + carried) % 2 === 1;
    if (found < 0) {
      this.#oddBackslashes = isEscaped;
      this.#capture.add(chunk, from, end);
      return end;
    }
    this.#oddBackslashes = false;
    this.#capture.add(chunk, from, found + 1);
    if (!isEscaped) this.#endString();
    return found + 1;
  }

  /** Reads one byte outside strings. */
  #readStructure(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? space;
    switch (byte) {
      case quote:
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
        this.#separate(at);
        break;
      case colon:
        if (this.#isAtKey()) return this.#beginValue(at);
        this.#readOther(byte);
        break;
      default:
        this.#readOther(byte);
    }
    this.#capture.add(chunk, at, at + 1);
    return at + 1;
  }

  #beginString(): void {
    if (this.#isAtKey()) this.#capture.restart();
    this.#inString = true;
  }

  #endString(): void {
    this.#inString = false;
    if (this.#isAtKey()) this.#key = parseKey(this.#capture.text);
  }

  #beginValue(at: number): number {
    this.#expects = "value";
    this.#valueStart = this.#offset + at + 1;
    this.#capture.restart();
    return at + 1;
  }

  #open(byte: number): void {
    this.#shape ??= byte === openBrace ? "object" : "array";
    this.#structures += 1;
    this.#depth += 1;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
  }

  #close(at: number): void {
    if (this.#depth === 1) this.#endMember(at);
    if (this.#depth > 0) this.#depth -= 1;
  }

  #separate(at: number): void {
    this.#structures += 1;
    if (this.#depth === 1) this.#endMember(at);
  }

  #readOther(byte: number): void {
    if (byte > space) this.#shape ??= "other";
  }

  #endMember(at: number): void {
    if (this.#shape !== "object" || this.#expects !== "value") return;
    this.#expects = "key";
    if (this.#members.length >= skimMembersMax) return;
    this.#members.push({
      key: this.#key,
      start: this.#valueStart,
      end: this.#offset + at,
      text: this.#capture.text,
    });
  }

  #isAtKey(): boolean {
    return this.#depth === 1 && this.#expects === "key";
  }
}

/** The structure of a text that is in memory as a whole. */
export function skimBytes(bytes: Uint8Array): Skim {
  const skimmer = new Skimmer();
  skimmer.push(bytes);
  return skimmer.skim();
}

/** A key from its JSON text; empty when it is too long or not a string. */
function parseKey(text: string | undefined): string {
  try {
    const key: unknown = JSON.parse(text ?? "");
    return typeof key === "string" ? key : "";
  } catch {
    return "";
  }
}
