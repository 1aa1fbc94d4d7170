import type { PlacedPart } from "#kit/syntax/part.ts";
import type { Edit } from "./edits.ts";
import type { EntryLayout } from "./entry-layout.ts";

/** JSON may have comments. */
export type SettingsLanguage = "json" | "toml" | "yaml";

/** A literal that JSON, TOML and YAML read alike. */
export function quoteLiteral(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** A list is on one line. */
export function valueLiteral(value: string | readonly string[]): string {
  return typeof value === "string"
    ? quoteLiteral(value)
    : `[${value.map(quoteLiteral).join(", ")}]`;
}

/** `name` has only letters, digits and `_`. */
export function keyLiteral(language: SettingsLanguage, name: string): string {
  return language === "json" ? quoteLiteral(name) : name;
}

export function memberLiteral(language: SettingsLanguage, name: string, literal: string): string {
  return `${keyLiteral(language, name)}${language === "toml" ? " = " : ": "}${literal}`;
}

/** Separated as the items of the list are. */
export function frontEdit(text: string, list: PlacedPart, literals: readonly string[]): Edit {
  const [first] = list.items;
  // Behind the bracket.
  if (!first) return insertion(list.start + 1, literals.join(", "));
  const line = text.lastIndexOf("\n", first.start - 1) + 1;
  const margin = text.slice(line, first.start);
  const newLine = `${text[line - 2] === "\r" ? "\r\n" : "\n"}${margin}`;
  if (list.isBlock) {
    return insertion(first.start, literals.map((one) => `- ${one}${newLine}`).join(""));
  }
  const isOwnLine = line > list.start && /^[ \t]*$/.test(margin);
  const separator = isOwnLine ? newLine : " ";
  return insertion(first.start, literals.map((one) => `${one},${separator}`).join(""));
}

export function newList(
  text: string,
  language: SettingsLanguage,
  { holder, command }: EntryLayout,
): { readonly at: number; readonly before: string; readonly after: string } | undefined {
  if (command === undefined) return undefined;
  if (language === "json") return { at: command.part.end, before: ',"args":[', after: "]" };
  const at = command.start;
  const key = text.slice(at, command.lastKey);
  const before = language === "toml" ? `${key}args = [` : "args: [";
  if (!holder.isBlock) return { at, before, after: "], " };
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const margin = text.slice(line, at);
  // A dash of YAML may be in front of the first key.
  if (!(language === "yaml" ? /^[ -]*$/ : /^[ \t]*$/).test(margin)) return undefined;
  return { at, before, after: `]${lineEndAt(text, at)}${margin.replaceAll("-", " ")}` };
}

// Without spaces, so that it differs from a list that was there before.
export function newListText(literals: readonly string[]): string {
  return literals.join(",");
}

/** The end of the line before an offset, or of the first line. Lines that are added later change neither. */
export function lineEndAt(text: string, at: number): string {
  const before = text.lastIndexOf("\n", at - 1);
  const end = before < 0 ? text.indexOf("\n", at) : before;
  return text[end - 1] === "\r" ? "\r\n" : "\n";
}

function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
