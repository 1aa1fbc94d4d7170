import type { Member } from "./skim.ts";
import type { Skim } from "./skim.ts";
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
import { skimMembersMax, skimTextBytesMax } from "#limits.ts";

/**
 * Reads the structure of one JSON text of any length and depth in constant memory, chunk by chunk:
 * the way to the id of a message that is too long or too deep to parse.
 */
export class Skimmer {
  #offset = 0;
  #shape: Skim["shape"] | undefined;
  #depth = 0;
  #deepest = 0;
  #structures = 0;
  #inString = false;
  #oddBackslashes = false;
  #place: "key" | "value" = "key";
  #key = "";
  #valueStart = 0;
  #capture: number[] = [];
  #captured = 0;
  readonly #members: Member[] = [];

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#inString ? this.#string(chunk, at) : this.#structure(chunk, at);
    }
    this.#offset += chunk.length;
  }

  skim(): Skim {
    return {
      shape: this.#shape ?? "other",
      members: this.#members,
      depth: this.#deepest,
      structures: this.#structures,
      closed: this.#depth === 0 && !this.#inString,
    };
  }

  /** Runs to the end of the string or of the chunk; strings are where the bytes are. */
  #string(chunk: Uint8Array, from: number): number {
    const found = chunk.indexOf(quote, from);
    const end = found < 0 ? chunk.length : found;
    let run = end;
    while (run > from && chunk[run - 1] === backslash) run -= 1;
    const carried = run === from && this.#oddBackslashes ? 1 : 0;
    const odd = (end - run + carried) % 2 === 1;
    if (found < 0) {
      this.#oddBackslashes = odd;
      this.#keep(chunk, from, end);
      return end;
    }
    this.#oddBackslashes = false;
    this.#keep(chunk, from, found + 1);
    if (!odd) {
      this.#inString = false;
      if (this.#depth === 1 && this.#place === "key") this.#key = this.#capturedKey();
    }
    return found + 1;
  }

  #structure(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? space;
    if (byte === quote) {
      if (this.#depth === 1 && this.#place === "key") this.#restart();
      this.#inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      this.#open(byte);
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#close(at);
    } else if (byte === comma) {
      this.#structures += 1;
      if (this.#depth === 1) this.#member(at);
    } else if (byte === colon && this.#depth === 1 && this.#place === "key") {
      this.#place = "value";
      this.#valueStart = this.#offset + at + 1;
      this.#restart();
      return at + 1;
    } else if (byte > space) {
      this.#shape ??= "other";
    }
    this.#keep(chunk, at, at + 1);
    return at + 1;
  }

  #open(byte: number): void {
    this.#shape ??= byte === openBrace ? "object" : "array";
    this.#structures += 1;
    this.#depth += 1;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
  }

  #close(at: number): void {
    if (this.#depth === 1) this.#member(at);
    if (this.#depth > 0) this.#depth -= 1;
  }

  #member(at: number): void {
    if (this.#shape !== "object" || this.#place !== "value") return;
    this.#place = "key";
    if (this.#members.length >= skimMembersMax) return;
    const whole = this.#captured <= skimTextBytesMax;
    this.#members.push({
      key: this.#key,
      start: this.#valueStart,
      end: this.#offset + at,
      text: whole ? decode(this.#capture).trim() : undefined,
    });
  }

  #restart(): void {
    this.#capture = [];
    this.#captured = 0;
  }

  #keep(chunk: Uint8Array, from: number, to: number): void {
    this.#captured += to - from;
    if (this.#captured > skimTextBytesMax) return;
    for (let at = from; at < to; at += 1) this.#capture.push(chunk[at] ?? space);
  }

  #capturedKey(): string {
    try {
      const key: unknown = JSON.parse(decode(this.#capture));
      return typeof key === "string" ? key : "";
    } catch {
      return "";
    }
  }
}

/** The skim of a text that is in memory as a whole. */
export function skimBytes(bytes: Uint8Array): Skim {
  const skimmer = new Skimmer();
  skimmer.push(bytes);
  return skimmer.skim();
}

function decode(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
