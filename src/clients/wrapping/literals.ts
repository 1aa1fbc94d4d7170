import type { SettingsLanguage } from "../configured-entries.ts";

export type SettingsText = { readonly text: string; readonly language: SettingsLanguage };

// JSON, TOML and YAML read this literal alike.
export function quoteLiteral(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

export function formatLiteral(value: string | readonly string[]): string {
  return typeof value === "string"
    ? quoteLiteral(value)
    : `[${value.map(quoteLiteral).join(", ")}]`;
}

// `name` has only letters, digits, `_` and `-`, so TOML and YAML need no quotation marks.
export function formatKey(language: SettingsLanguage, name: string): string {
  return language === "json" ? quoteLiteral(name) : name;
}

export function formatMember(language: SettingsLanguage, name: string, literal: string): string {
  return `${formatKey(language, name)}${language === "toml" ? " = " : ": "}${literal}`;
}

// Returns the kind of line break before `at`, or after `at` if `at` is on the first line. Each line that `wrap` adds
// gets the same line break. `unwrap` calls this function again, gets the same kind, and so recognizes the added line.
export function findLineEnding(text: string, at: number): string {
  const lineBreak = text.lastIndexOf("\n", at - 1);
  const end = lineBreak < 0 ? text.indexOf("\n", at) : lineBreak;
  return text[end - 1] === "\r" ? "\r\n" : "\n";
}

export function dependsOnIndent(language: SettingsLanguage, literal: string): boolean {
  return language === "yaml" && /[\r\n]/.test(literal);
}

// The indentation of the member at `at`, for members added next to it. Undefined if the member does not begin a line.
// In YAML, a dash may precede the member: `- command: x`.
export function findIndent({ text, language }: SettingsText, at: number): string | undefined {
  const indent = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const beginsLine = (language === "yaml" ? /^[ -]*$/ : /^[ \t]*$/).test(indent);
  return beginsLine ? indent.replaceAll("-", " ") : undefined;
}
