import { plural } from "#kit/text/numbers.ts";
import type { Part, TextPart } from "../part.ts";

export function frame(text: string): TextPart {
  return { kind: "text", text };
}

export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

export function charactersIn(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === "text" ? part.text.length : 0), 0);
}

/** UTF-8. */
export function bytesIn(parts: readonly Part[]): number {
  let bytes = 0;
  for (const part of parts) if (part.kind === "text") bytes += Buffer.byteLength(part.text);
  return bytes;
}

export function hasImage(parts: readonly Part[]): boolean {
  return parts.some(({ kind }) => kind === "image");
}

export function mediaOf(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ kind }) => kind !== "text");
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)}KB`;
}

export function fileSize(bytes: number): string {
  return bytes < 1024 ? plural(bytes, "byte") : kilobytes(bytes);
}

/** The first and last bytes in UTF-8, cut between two characters. */
export function endsOf(
  text: string,
  headBytes: number,
  tailBytes: number,
): { readonly head: string; readonly tail: string } {
  const utf8 = Buffer.from(text);
  let end = Math.min(headBytes, utf8.length);
  while (end > 0 && isInside(utf8[end])) end -= 1;
  let start = Math.max(end, utf8.length - tailBytes);
  while (start < utf8.length && isInside(utf8[start])) start += 1;
  return { head: utf8.toString("utf8", 0, end), tail: utf8.toString("utf8", start) };
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Whole lines within both limits, in UTF-8. */
export function firstLines(text: string, bytesMax: number, linesMax: number): string {
  let [end, start, bytes] = [0, 0, 0];
  for (let lines = 0; lines < linesMax && start <= text.length; lines += 1) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline;
    bytes += Buffer.byteLength(text.slice(end, next));
    if (bytes > bytesMax) break;
    end = next;
    start = next + 1;
  }
  return text.slice(0, end);
}
