import type { Excess } from "#budgets/action.ts";
import { textOf } from "#cost/clients/text-pieces.ts";
import type { Part } from "#cost/part.ts";
import { countParts } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import { readingOf } from "#cost/reading.ts";
import { describeToolResult } from "#cost/visibility.ts";
import { isHighSurrogate } from "#tokenizer/code-units.ts";
import { arrayAt, compactJson, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";

/** The note at the end of a cut result, from the characters kept and those of the whole text. */
export type Marker = (kept: string, all: string) => string;

/**
 * The result, cut between two characters so that it costs at most `room` tokens, marker included; undefined when
 * even the marker is too large. Blocks that are not text are removed, and so is `structuredContent`, which would
 * contradict the text: the result is then an error, for clients that validate it.
 */
export function fitResult({ result, asked, room, reader }: Excess, marker: Marker): unknown {
  if (!isObject(result)) return undefined;
  const { structuredContent, content: _, ...rest } = result;
  const isJson = readsJson(result, reader);
  const blocks = isJson
    ? [jsonBlock(structuredContent)]
    : arrayAt(result, "content").filter(isTextBlock);
  const all = countCharacters(blocks);
  const failure = structuredContent === undefined ? {} : { isError: true };
  const omissions = describeOmissions(result, isJson);
  const cutAt = (kept: number): JsonObject => {
    const head = cutBlocks(blocks, kept);
    // The cut never falls inside a character, so the head may be one unit shorter than asked for.
    const text = [marker(String(countCharacters(head)), String(all)), ...omissions].join(" ");
    return { ...rest, ...failure, content: [...head, { type: "text", text }] };
  };
  const fits = (kept: number): boolean => {
    const cut = cutAt(kept);
    const { visible } = describeToolResult(cut, readingOf(reader, asked));
    return countParts(visible, reader, room) <= room && showsAll(visible, cut);
  };
  return fits(0) ? cutAt(findLargest(all, room, fits)) : undefined;
}

/** False when the client would shorten the rest once more, so that the note about it would not be true. */
function showsAll(visible: readonly Part[], cut: JsonObject): boolean {
  const shown = textOf(visible);
  return arrayAt(cut, "content").every((block) => {
    const text = textAt(block, "text") ?? "";
    return shown.includes(text) || shown.includes(JSON.stringify(text).slice(1, -1));
  });
}

/** The largest number up to `all` that fits. Begins with `step`, so that most attempts count short texts. */
function findLargest(all: number, step: number, fits: (kept: number) => boolean): number {
  let low = 0;
  let high = Math.min(all, Math.max(1, step));
  while (high < all && fits(high)) [low, high] = [high, Math.min(all, high * 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function countCharacters(blocks: readonly JsonObject[]): number {
  return blocks.reduce((sum, block) => sum + blockText(block).length, 0);
}

/** True when the model reads `structuredContent`: its client prefers it, or there is no text. */
function readsJson(result: JsonObject, { profile }: Reader): boolean {
  const structured = memberAt(result, "structuredContent");
  if (structured === undefined || structured === null) return false;
  if (profile.order === "structured-first") return result["isError"] !== true;
  return !arrayAt(result, "content").some(isTextBlock);
}

function jsonBlock(structured: unknown): JsonObject {
  return { type: "text", text: compactJson(structured) };
}

/** Notes about the parts that are removed besides text. */
function describeOmissions(result: JsonObject, isJson: boolean): string[] {
  const blocks = arrayAt(result, "content");
  const others = blocks.filter((block) => !isTextBlock(block)).length;
  const isStructured = memberAt(result, "structuredContent") !== undefined;
  return [
    ...(others === 0 ? [] : [`(${others} block${others === 1 ? "" : "s"} without text omitted)`]),
    ...(isStructured && !isJson ? ["(structuredContent omitted)"] : []),
  ];
}

function isTextBlock(block: unknown): block is JsonObject {
  return isObject(block) && textAt(block, "text") !== undefined;
}

function blockText(block: JsonObject): string {
  return textAt(block, "text") ?? "";
}

/** The first `kept` characters of the blocks, without half a surrogate pair at the end. */
function cutBlocks(blocks: readonly JsonObject[], kept: number): JsonObject[] {
  const cut: JsonObject[] = [];
  let left = kept;
  for (const block of blocks) {
    if (left <= 0) break;
    const text = blockText(block);
    const isHalf = left < text.length && isHighSurrogate(text.charCodeAt(left - 1));
    cut.push({ ...block, text: text.slice(0, isHalf ? left - 1 : left) });
    left -= text.length;
  }
  return cut;
}
