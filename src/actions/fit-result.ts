import type { Excess } from "#meter/action.ts";
import { tokensOfResult } from "#meter/price.ts";
import { arrayAt, isObject, memberAt, textAt } from "#wire/json.ts";

/** Says what is missing: characters of text kept, and of how many. */
export type Marker = (kept: string, all: string) => string;

/**
 * The result with its text cut at a code point so that it costs at most `room` tokens, the marker
 * included; undefined when not even the marker fits. `structuredContent` would no longer agree with the
 * text and goes, which makes the result an error for clients that were promised it.
 */
export function fitResult({ result, room, reader }: Excess, marker: Marker): unknown {
  if (!isObject(result)) return undefined;
  const blocks = shownBlocks(result);
  const all = blocks.reduce<number>((sum, block) => sum + (textAt(block, "text") ?? "").length, 0);
  const cutAt = (kept: number): unknown => {
    const text = marker(String(kept), String(all));
    const { structuredContent, ...rest } = result;
    const lost = structuredContent === undefined ? {} : { isError: true };
    const note = structuredContent === undefined ? text : `${text} (structuredContent left out)`;
    return { ...rest, ...lost, content: [...headOf(blocks, kept), { type: "text", text: note }] };
  };
  const fits = (kept: number): boolean => tokensOfResult(cutAt(kept), reader, room) <= room;
  if (!fits(0)) return undefined;
  let [low, high] = [0, all];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return cutAt(low);
}

/** Text blocks in order; a result that is all `structuredContent` is shown as its JSON. */
function shownBlocks(result: unknown): readonly unknown[] {
  const blocks = arrayAt(result, "content").filter((block) => textAt(block, "text") !== undefined);
  const structured = memberAt(result, "structuredContent");
  if (blocks.length > 0 || structured === undefined) return blocks;
  return [{ type: "text", text: JSON.stringify(structured) }];
}

/** The first `kept` characters of the blocks' text, never half a code point. */
function headOf(blocks: readonly unknown[], kept: number): unknown[] {
  const head: unknown[] = [];
  let left = kept;
  for (const block of blocks) {
    if (left <= 0 || !isObject(block)) break;
    const text = textAt(block, "text") ?? "";
    const cut = text.slice(0, left);
    const whole = /[\ud800-\udbff]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
    head.push({ ...block, text: whole });
    left -= text.length;
  }
  return head;
}
