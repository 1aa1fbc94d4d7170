import type { CommandForm } from "./entry-layout.ts";
import { quoteLiteral, type SettingsLanguage } from "./literals.ts";

/** The lines that state a command, in the language of the settings, for a person who writes them into an entry. */
export function pasteLines(
  language: SettingsLanguage,
  form: CommandForm,
  words: readonly string[],
): readonly string[] {
  const [command = "", ...args] = words.map(quoteLiteral);
  if (form === "list") return [member(language, "command", `[${[command, ...args].join(", ")}]`)];
  const name = form === "path" ? "path" : form;
  const list = member(language, "args", `[${args.join(", ")}]`);
  return [`${member(language, name, command)}${language === "json" ? "," : ""}`, list];
}

function member(language: SettingsLanguage, name: string, value: string): string {
  if (language === "toml") return `${name} = ${value}`;
  return language === "yaml" ? `${name}: ${value}` : `"${name}": ${value}`;
}
