import type { SyntaxNode } from "#kit/syntax/syntax-tree.ts";
import type { Edit } from "./edits.ts";
import type { EntryLayout } from "./entry-layout.ts";

export type SettingsLanguage = "json" | "toml" | "yaml";

// JSON, TOML and YAML read this literal alike.
export function quoteLiteral(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

export function formatValue(value: string | readonly string[]): string {
  return typeof value === "string"
    ? quoteLiteral(value)
    : `[${value.map(quoteLiteral).join(", ")}]`;
}

// `name` has only letters, digits and `_`.
export function formatKey(language: SettingsLanguage, name: string): string {
  return language === "json" ? quoteLiteral(name) : name;
}

export function formatMember(language: SettingsLanguage, name: string, literal: string): string {
  return `${formatKey(language, name)}${language === "toml" ? " = " : ": "}${literal}`;
}

export function insertFront(text: string, list: SyntaxNode, literals: readonly string[]): Edit {
  const [first] = list.items;
  if (!first) return insertText(list.start + 1, literals.join(", "));
  const line = text.lastIndexOf("\n", first.start - 1) + 1;
  const margin = text.slice(line, first.start);
  const newLine = `${text[line - 2] === "\r" ? "\r\n" : "\n"}${margin}`;
  if (list.isBlock) {
    return insertText(first.start, literals.map((literal) => `- ${literal}${newLine}`).join(""));
  }
  const isOwnLine = line > list.start && /^[ \t]*$/.test(margin);
  const separator = isOwnLine ? newLine : " ";
  return insertText(first.start, literals.map((literal) => `${literal},${separator}`).join(""));
}

export function layOutList(
  text: string,
  language: SettingsLanguage,
  { holder, command }: EntryLayout,
): { readonly at: number; readonly before: string; readonly after: string } | undefined {
  if (command === undefined) return undefined;
  if (language === "json") return { at: command.node.end, before: ',"args":[', after: "]" };
  const at = command.start;
  const key = text.slice(at, command.lastKeyStart);
  const before = language === "toml" ? `${key}args = [` : "args: [";
  if (!holder.isBlock) return { at, before, after: "], " };
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const margin = text.slice(line, at);
  // In YAML, a dash may precede the first key.
  if (!(language === "yaml" ? /^[ -]*$/ : /^[ \t]*$/).test(margin)) return undefined;
  return { at, before, after: `]${findLineEnding(text, at)}${margin.replaceAll("-", " ")}` };
}

// Without spaces, so that an added list differs from one that was there before.
export function joinListItems(literals: readonly string[]): string {
  return literals.join(",");
}

// The last line ending before `at`, or else the first: lines added later change neither.
export function findLineEnding(text: string, at: number): string {
  const lineBreak = text.lastIndexOf("\n", at - 1);
  const end = lineBreak < 0 ? text.indexOf("\n", at) : lineBreak;
  return text[end - 1] === "\r" ? "\r\n" : "\n";
}

function insertText(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
