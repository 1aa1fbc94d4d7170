import type { OptionSpec } from "./command.ts";

export function describeOption({ describe, default: value, isRepeatable }: OptionSpec): string {
  const notes = [
    ...(value === undefined ? [] : [`default: ${value}`]),
    ...(isRepeatable === true ? ["repeatable"] : []),
  ];
  return notes.length === 0 ? describe : `${describe} (${notes.join("; ")})`;
}
