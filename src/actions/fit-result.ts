import type { Excess } from "#budgets/action.ts";
import { countResult } from "#cost/price.ts";
import { isHighSurrogate } from "#tokenizer/code-units.ts";
import { arrayAt, compactJson, isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";

/** Says what is missing: characters of text kept, and of how many. */
export type Marker = (kept: string, all: string) => string;

/**
 * The result with its text cut at a code point so that it costs at most `room` tokens, the marker
 * included; undefined when not even the marker fits. Images and other blocks that are no text go, and
 * `structuredContent`, which would no longer agree: without it the result is an error for clients that
 * were promised it.
 */
export function fitResult({ result, room, reader }: Excess, marker: Marker): unknown {
  if (!isObject(result)) return undefined;
  const { structuredContent, content: _, ...rest } = result;
  const blocks = shownBlocks(result);
  const all = blocks.reduce((sum, block) => sum + textOf(block).length, 0);
  const lost = structuredContent === undefined ? {} : { isError: true };
  const left = leftOut(result);
  const cutAt = (kept: number): unknown => {
    const text = [marker(String(kept), String(all)), ...left].join(" ");
    const note = { type: "text", text };
    return { ...rest, ...lost, content: [...headOf(blocks, kept), note] };
  };
  const fits = (kept: number): boolean => countResult(cutAt(kept), reader, room) <= room;
  if (!fits(0)) return undefined;
  return cutAt(longest(all, room, fits));
}

/** The most of `all` that fits, tried from short to long: a long text is not counted again and again. */
function longest(all: number, step: number, fits: (kept: number) => boolean): number {
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

/** Text blocks in order; a result that is all `structuredContent` is shown as its JSON. */
function shownBlocks(result: JsonObject): readonly JsonObject[] {
  const blocks = arrayAt(result, "content").filter(isText);
  const structured = memberAt(result, "structuredContent");
  if (blocks.length > 0 || structured === undefined) return blocks;
  return [{ type: "text", text: compactJson(structured) }];
}

/** Names what goes besides text. */
function leftOut(result: JsonObject): string[] {
  const blocks = arrayAt(result, "content");
  const others = blocks.filter((block) => !isText(block)).length;
  const isStructured = memberAt(result, "structuredContent") !== undefined;
  const isShownAsText = others === blocks.length;
  return [
    ...(others === 0 ? [] : [`(${others} block${others === 1 ? "" : "s"} without text left out)`]),
    ...(isStructured && !isShownAsText ? ["(structuredContent left out)"] : []),
  ];
}

function isText(block: unknown): block is JsonObject {
  return isObject(block) && textAt(block, "text") !== undefined;
}

function textOf(block: JsonObject): string {
  return textAt(block, "text") ?? "";
}

/** The first `kept` characters of the blocks' text, never half a code point. */
function headOf(blocks: readonly JsonObject[], kept: number): JsonObject[] {
  const head: JsonObject[] = [];
  let left = kept;
  for (const block of blocks) {
    if (left <= 0) break;
    const text = textOf(block);
    const isHalf = left < text.length && isHighSurrogate(text.charCodeAt(left - 1));
    head.push({ ...block, text: text.slice(0, isHalf ? left - 1 : left) });
    left -= text.length;
  }
  return head;
}
