import type { NewMember } from "./conversion.ts";
import { memberLiteral, type SettingsLanguage, valueLiteral } from "./literals.ts";

/** The lines that state members, in the language of the settings, for a person who writes them into an entry. */
export function pasteLines(
  language: SettingsLanguage,
  members: readonly NewMember[],
): readonly string[] {
  return members.map(({ name, value }, at) => {
    const line = memberLiteral(language, name, valueLiteral(value));
    return language === "json" && at < members.length - 1 ? `${line},` : line;
  });
}
