import { arrayAt, memberAt, textAt } from "#wire/json.ts";
import type { ReadPart } from "../apis/api.ts";

/** Characters up to which no client shortens an answer: what differs there is a frame. */
const shortCharacters = 1_000;

/** Characters at the beginning of a text by which a part of it is recognised. */
const beginCharacters = 60;

/** True when a model read a part of a long half of a result, its texts or its structured content, or no half as a whole. */
export function isCut(result: unknown, parts: readonly ReadPart[]): boolean {
  const read = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const texts = arrayAt(result, "content").flatMap((block) => textAt(block, "text") ?? []);
  const structured = memberAt(result, "structuredContent");
  const halves = [texts, structured === undefined ? [] : [JSON.stringify(structured)]];
  const present = halves.filter((half) => half.length > 0);
  const missing = present.filter((half) => !half.every((text) => holds(read, text)));
  const isLong = present.some((half) => half.join("").length > shortCharacters);
  return (
    isLong && (missing.length === present.length || missing.some((half) => isPart(read, half)))
  );
}

function isPart(read: string, half: readonly string[]): boolean {
  const text = half.join("");
  return text.length > shortCharacters && holds(read, text.slice(0, beginCharacters));
}

/** True for a text that is there as it is or inside of JSON. */
function holds(read: string, text: string): boolean {
  return read.includes(text) || read.includes(JSON.stringify(text).slice(1, -1));
}
