import type { SyntaxNode } from "#kit/syntax/syntax-tree.ts";
import type { EntryLayout } from "./entry-layout.ts";
import {
  dependsOnIndent,
  findLineEnding,
  findIndent,
  quoteLiteral,
  type SettingsText,
} from "./literals.ts";
import type { Edit } from "./change-text.ts";

// Puts the words of `front` before the words of the entry. Undefined if the layout does not allow it.
export function wrapCommand(
  settings: SettingsText,
  layout: EntryLayout,
  front: readonly string[],
): readonly Edit[] | undefined {
  const { text, language } = settings;
  const { command, list } = layout;
  if (command === undefined) {
    return list === undefined ? undefined : [insertItems(text, list, 0, front.map(quoteLiteral))];
  }
  const { start, end } = command.node;
  const literal = text.slice(start, end);
  if (dependsOnIndent(language, literal)) return undefined;
  const [meter = "", ...words] = front.map(quoteLiteral);
  const literals = [...words, literal];
  const commandEdit = { start, end, text: meter };
  if (list) return [commandEdit, insertItems(text, list, 0, literals)];
  const added = layOutNewList(settings, layout, literals);
  return added && [commandEdit, insertText(added.at, added.text)];
}

export type OptionChange = {
  readonly front: readonly string[];
  /** The index of the `--` of a wrapped entry; `front` is put before it. */
  readonly at: number;
  /** Indexes of words to remove, all below `at`. */
  readonly dropped?: readonly number[];
};

/** Undefined if the list has no word at `at` or at an index in `dropped`. */
export function editOptions(
  settings: SettingsText,
  layout: EntryLayout,
  { front, at, dropped = [] }: OptionChange,
): readonly Edit[] | undefined {
  const { command, list } = layout;
  const listStart = command === undefined ? 0 : 1;
  const next = list?.items[at - listStart];
  if (list === undefined || next === undefined) return undefined;
  const removals = dropped.flatMap((index): readonly Edit[] => {
    const [item, following] = list.items.slice(index - listStart, index - listStart + 2);
    return item && following ? [{ start: item.start, end: following.start, text: "" }] : [];
  });
  if (removals.length < dropped.length) return undefined;
  if (front.length === 0) return removals;
  const literals = front.map(quoteLiteral);
  // If wrapping added the list, it stays without spaces, so that unwrapping still recognizes it.
  const isAddedList = removeAddedList(settings, layout) !== undefined;
  const insertion = isAddedList
    ? insertText(next.start, `${literals.join(",")},`)
    : insertItems(settings.text, list, at - listStart, literals);
  return [...removals, insertion];
}

// Removes the first `count` words of the entry, so that the next word becomes its command.
export function unwrapCommand(
  settings: SettingsText,
  layout: EntryLayout,
  count: number,
): readonly Edit[] | undefined {
  const { text, language } = settings;
  const { command, list } = layout;
  if (list === undefined) return undefined;
  if (command === undefined) return [removeItems(text, { ...layout, list }, count)];
  const nextCommand = list.items[count - 1]?.node;
  if (nextCommand?.kind !== "text" || nextCommand.hasSpecialSyntax) return undefined;
  const literal = text.slice(nextCommand.start, nextCommand.end);
  if (dependsOnIndent(language, literal)) return undefined;
  const { start, end } = command.node;
  const listRemoval = count === list.items.length ? removeAddedList(settings, layout) : undefined;
  return [
    { start, end, text: literal },
    listRemoval ?? removeItems(text, { ...layout, list }, count),
  ];
}

// Undefined unless the list looks like a list that `wrapCommand` adds.
function removeAddedList(settings: SettingsText, layout: EntryLayout): Edit | undefined {
  const { text, language } = settings;
  const items = layout.list?.items ?? [];
  const literals = items.map(({ node }) => text.slice(node.start, node.end));
  const added = layOutNewList(settings, layout, literals);
  if (added === undefined) return undefined;
  const start = language === "json" ? added.at : added.at - added.text.length;
  const end = start + added.text.length;
  return text.slice(start, end) === added.text ? { start, end, text: "" } : undefined;
}

type PresentList = Pick<EntryLayout, "parent"> & { readonly list: SyntaxNode };

function removeItems(text: string, { parent, list }: PresentList, count: number): Edit {
  const { items, isBlock } = list;
  const start = items[0]?.start ?? 0;
  const next = items[count];
  if (next) return { start, end: next.start, text: "" };
  const end = items.at(-1)?.node.end ?? start;
  // A YAML block without items would be null.
  if (isBlock) return { start, end, text: layOutEmptyBlock(text, { parent, list }, start) };
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? "";
  const removal = { start, end: end + comma.length, text: "" };
  // Wrapping puts words into an empty list directly after its `[`. A space there shows that a client rewrote the list.
  const before = text.slice(list.start + 1, start);
  const after = text.slice(removal.end, list.end - 1);
  const isReformatted = before !== "" && `${before}${after}`.trim() === "";
  return isReformatted ? { start: list.start + 1, end: list.end - 1, text: "" } : removal;
}

// The dashes of a block may be in the column of its key, but brackets may not.
function layOutEmptyBlock(text: string, { parent, list }: PresentList, at: number): string {
  const key = parent.members.find(({ node }) => node === list)?.start ?? 0;
  return findColumn(text, at) > findColumn(text, key) ? "[]" : "  []";
}

function findColumn(text: string, at: number): number {
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}

function insertItems(
  text: string,
  list: SyntaxNode,
  index: number,
  literals: readonly string[],
): Edit {
  const next = list.items[index];
  if (!next) return insertText(list.start + 1, literals.join(", "));
  const line = text.lastIndexOf("\n", next.start - 1) + 1;
  const indent = text.slice(line, next.start);
  const newLine = `${text[line - 2] === "\r" ? "\r\n" : "\n"}${indent}`;
  if (list.isBlock) {
    return insertText(next.start, literals.map((literal) => `- ${literal}${newLine}`).join(""));
  }
  const beginsLine = line > list.start && /^[ \t]*$/.test(indent);
  const separator = beginsLine ? newLine : " ";
  return insertText(next.start, literals.map((literal) => `${literal},${separator}`).join(""));
}

function layOutNewList(
  { text, language }: SettingsText,
  { parent, command }: EntryLayout,
  literals: readonly string[],
): { readonly at: number; readonly text: string } | undefined {
  if (command === undefined) return undefined;
  // An added list has no spaces, so that it can be recognized.
  const items = literals.join(",");
  if (language === "json") return { at: command.node.end, text: `,"args":[${items}]` };
  const at = command.start;
  const key = language === "toml" ? `${text.slice(at, command.lastKeyStart)}args = ` : "args: ";
  if (!parent.isBlock) return { at, text: `${key}[${items}], ` };
  const indent = findIndent({ text, language }, at);
  if (indent === undefined) return undefined;
  return { at, text: `${key}[${items}]${findLineEnding(text, at)}${indent}` };
}

function insertText(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
