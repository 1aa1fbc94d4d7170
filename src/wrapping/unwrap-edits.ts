import type { PlacedPart } from "#syntax/part.ts";
import type { Edit } from "./edit.ts";
import type { EntryLayout } from "./entry-layout.ts";
import { newList, newListText } from "./literals.ts";
import type { SettingsText } from "./wrap-edits.ts";

/** The word behind the first `count` words, as written, becomes the command. Undefined where that cannot be written. */
export function unwrapEdits(
  settings: SettingsText,
  layout: EntryLayout,
  count: number,
): readonly Edit[] | undefined {
  const { text } = settings;
  const { command, list } = layout;
  if (list === undefined) return undefined;
  if (command === undefined) return [removal(text, list, count)];
  const word = list.items[count - 1]?.part;
  if (word?.kind !== "text" || word.isShared) return undefined;
  const literal = text.slice(word.start, word.end);
  if (settings.language === "yaml" && /[\r\n]/.test(literal)) return undefined;
  const { start, end } = command.part;
  const made = count === list.items.length ? madeList(settings, layout) : undefined;
  return [{ start, end, text: literal }, made ?? removal(text, list, count)];
}

/** Undefined when `wrapEdits` did not add the list, or its words have changed. */
function madeList({ text, language }: SettingsText, layout: EntryLayout): Edit | undefined {
  const made = newList(text, language, layout);
  if (made === undefined || layout.list === undefined) return undefined;
  const literals = layout.list.items.map(({ part }) => text.slice(part.start, part.end));
  const whole = `${made.before}${newListText(literals)}${made.after}`;
  const start = language === "json" ? made.at : made.at - whole.length;
  const end = start + whole.length;
  return text.slice(start, end) === whole ? { start, end, text: "" } : undefined;
}

/** With the text between the items. */
function removal(text: string, list: PlacedPart, count: number): Edit {
  const { items, isBlock } = list;
  const start = items[0]?.start ?? 0;
  const next = items[count];
  if (next) return { start, end: next.start, text: "" };
  const end = items.at(-1)?.part.end ?? start;
  // A block without items would be null; a comma behind the last item would have nothing before it.
  if (isBlock) return { start, end, text: "[]" };
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? "";
  const bare = { start, end: end + comma.length, text: "" };
  // Its first word was written behind the bracket: a client has laid the list out since.
  const before = text.slice(list.start + 1, start);
  const after = text.slice(bare.end, list.end - 1);
  const isLaidOut = before !== "" && `${before}${after}`.trim() === "";
  return isLaidOut ? { start: list.start + 1, end: list.end - 1, text: "" } : bare;
}
