import type { NewMember } from "./conversion.ts";
import { memberLiteral, type SettingsLanguage, valueLiteral } from "./literals.ts";

export function pasteLines(
  language: SettingsLanguage,
  members: readonly NewMember[],
): readonly string[] {
  return members.map(({ name, value }, at) => {
    const line = memberLiteral(language, name, valueLiteral(value));
    return language === "json" && at < members.length - 1 ? `${line},` : line;
  });
}
