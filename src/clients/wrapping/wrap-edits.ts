import type { Edit } from "./edits.ts";
import type { EntryLayout } from "./entry-layout.ts";
import {
  insertFront,
  layOutList,
  joinListItems,
  quoteLiteral,
  type SettingsLanguage,
} from "./literals.ts";

export type SettingsText = { readonly text: string; readonly language: SettingsLanguage };

export function wrapCommand(
  { text, language }: SettingsText,
  layout: EntryLayout,
  front: readonly string[],
): readonly Edit[] | undefined {
  const { command, list } = layout;
  if (command === undefined) {
    return list === undefined ? undefined : [insertFront(text, list, front.map(quoteLiteral))];
  }
  const { start, end } = command.node;
  const literal = text.slice(start, end);
  if (language === "yaml" && /[\r\n]/.test(literal)) return undefined;
  const [meter = "", ...words] = front.map(quoteLiteral);
  const literals = [...words, literal];
  const commandEdit = { start, end, text: meter };
  if (list) return [commandEdit, insertFront(text, list, literals)];
  const newArguments = layOutList(text, language, layout);
  if (newArguments === undefined) return undefined;
  const { at, before, after } = newArguments;
  return [commandEdit, { start: at, end: at, text: `${before}${joinListItems(literals)}${after}` }];
}
