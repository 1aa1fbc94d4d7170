import type { NewMember } from "./conversion.ts";
import type { CommandForm } from "./entry-layout.ts";

export function commandMembers(form: CommandForm, words: readonly string[]): readonly NewMember[] {
  const [program = "", ...args] = words;
  if (form === "list") return [{ name: "command", value: words }];
  return [
    { name: form, value: program },
    { name: "args", value: args },
  ];
}
