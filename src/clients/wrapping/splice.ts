import type { PlacedPart } from "#kit/syntax/part.ts";
import {
  type ChangedText,
  changeText,
  partsOf,
  type PlacedChange,
  type TwoTexts,
} from "./change-text.ts";
import { type Conversion, conversionHolds, conversionTexts, reversionTexts } from "./conversion.ts";
import type { Edit, Refusal } from "./edits.ts";
import {
  type EntryLayout,
  type EntryPlace,
  layoutAt,
  partAt,
  type PartPath,
} from "./entry-layout.ts";
import { memberEdits, membersHold, type MemberTexts } from "./member-texts.ts";
import { type SettingsText, wrapEdits } from "./wrap-edits.ts";
import { newList, newListText } from "./literals.ts";

/** The first word of `front` becomes the command. */
export type Wrapping = EntryPlace & { readonly front: readonly string[] };

export type Unwrapping = EntryPlace & { readonly count: number };

export type Reversion = { readonly path: PartPath; readonly texts: MemberTexts };

/** Edits the text alone. Refuses entries whose other meaning would change or that could not be unwrapped to the same bytes. */
export function wrapEntries<Change extends Wrapping | Conversion>(
  settings: SettingsText,
  changes: readonly Change[],
): ChangedText<Change> {
  return changeText<Change>(settings, changes, {
    place: (root, change) =>
      isConversion(change)
        ? placeMembers(settings, root, change, (holder) =>
            conversionTexts(settings, holder, change),
          )
        : placeCommand(root, change, (layout) => wrapEdits(settings, layout, change.front)),
    holds: (texts, change) =>
      isConversion(change)
        ? conversionHolds(texts, change)
        : hasWords(texts, change, (words) => [...change.front, ...words]),
    isReversible: (text, done: readonly (Wrapping | Conversion)[]) => {
      const conversions = done.filter(isConversion);
      const texts = reversionsIn(settings, conversions);
      const undone = unwrapEntries({ ...settings, text }, [
        ...conversions.flatMap(({ path }, at) => {
          const before = texts[at];
          return before === undefined ? [] : [{ path, texts: before }];
        }),
        ...done.flatMap((change) =>
          isConversion(change) ? [] : [{ ...change, count: change.front.length }],
        ),
      ]);
      return undone.text === settings.text && undone.refused.size === 0;
    },
  });
}

export function unwrapEntries<Change extends Unwrapping | Reversion>(
  settings: SettingsText,
  changes: readonly Change[],
): ChangedText<Change> {
  return changeText<Change>(settings, changes, {
    place: (root, change) =>
      isReversion(change)
        ? placeMembers(settings, root, change, () => change.texts)
        : placeCommand(root, change, (layout) => unwrapEdits(settings, layout, change.count)),
    holds: (texts, change) =>
      isReversion(change)
        ? membersHold(partAt(texts.after.root, change.path), change.texts)
        : hasWords(texts, change, (words) => words.slice(change.count)),
    isReversible: () => true,
  });
}

export function reversionsIn(
  settings: SettingsText,
  conversions: readonly Conversion[],
): readonly MemberTexts[] {
  const root = conversions.length === 0 ? undefined : partsOf[settings.language](settings.text);
  return conversions.map((conversion) => {
    const holder = root && !("fault" in root) ? partAt(root, conversion.path) : "unparsable";
    return reversionTexts(settings, typeof holder === "string" ? undefined : holder, conversion);
  });
}

function isConversion(change: Wrapping | Conversion): change is Conversion {
  return "converted" in change;
}

function isReversion(change: Unwrapping | Reversion): change is Reversion {
  return "texts" in change;
}

function placeCommand(
  root: PlacedPart,
  { path, form }: EntryPlace,
  editsFor: (layout: EntryLayout) => readonly Edit[] | undefined,
): PlacedChange | Refusal {
  const layout = layoutAt(root, path, form);
  if (typeof layout === "string") return layout;
  const edits = editsFor(layout);
  const { holder, changing } = layout;
  return edits === undefined ? "layout" : { edits, holder, changing };
}

function placeMembers(
  settings: SettingsText,
  root: PlacedPart,
  { path }: { readonly path: PartPath },
  textsFor: (holder: PlacedPart) => MemberTexts | Refusal,
): PlacedChange | Refusal {
  const holder = partAt(root, path);
  if (typeof holder === "string") return holder;
  const texts = textsFor(holder);
  return typeof texts === "string" ? texts : memberEdits(settings, holder, texts);
}

function hasWords(
  { before, after }: TwoTexts,
  { path, form }: EntryPlace,
  change: (words: readonly string[]) => readonly string[],
): boolean {
  const [old, changed] = [layoutAt(before.root, path, form), layoutAt(after.root, path, form)];
  if (typeof old === "string" || typeof changed === "string") return false;
  const wanted = change(wordsOf(before.text, old));
  const words = wordsOf(after.text, changed);
  return words.length === wanted.length && words.every((word, at) => word === wanted[at]);
}

// No program's word begins with this character, so a literal that is not a text is not mistaken for a word.
function wordsOf(text: string, { command, list }: EntryLayout): readonly string[] {
  const parts = [
    ...(command ? [command.part] : []),
    ...(list?.items ?? []).map(({ part }) => part),
  ];
  return parts.map((part) =>
    part.kind === "text" && !part.isShared
      ? part.value
      : `\u0000${text.slice(part.start, part.end)}`,
  );
}

/** The word behind the first `count` words, as written, becomes the command. Undefined where that cannot be written. */
function unwrapEdits(
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
