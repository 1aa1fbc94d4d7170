import { arrayAt, memberAt, textAt } from "#wire/json.ts";
import type { ReadPart } from "../apis/api.ts";

/** Characters up to which no client shortens an answer: what differs there is a frame. */
const shortCharacters = 1_000;

/** True when a model read neither all texts of a long result nor all of its structured content. */
export function isCut(result: unknown, parts: readonly ReadPart[]): boolean {
  const read = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const texts = arrayAt(result, "content").flatMap((block) => textAt(block, "text") ?? []);
  const structured = memberAt(result, "structuredContent");
  const sources = [texts, structured === undefined ? [] : [JSON.stringify(structured)]];
  const present = sources.filter((source) => source.length > 0);
  const isLong = present.some((source) => source.join("").length > shortCharacters);
  return isLong && !present.some((source) => source.every((text) => holds(read, text)));
}

/** True for a text that is there as it is or inside of JSON. */
function holds(read: string, text: string): boolean {
  return read.includes(text) || read.includes(JSON.stringify(text).slice(1, -1));
}
