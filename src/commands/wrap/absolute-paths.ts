import { resolve } from "node:path";
import type { OptionSpec, OptionSpecs } from "../command.ts";
import { findOption, splitOption } from "../words.ts";

/**
 * Options as words, with an absolute path in place of each relative path of a file: a client may start a server in any folder. Words
 * without a file, such as `-` and `off`, `~/…`, and folders stay: a folder may be meant in the workspace of the client.
 */
export function absolutePaths(words: readonly string[], specs: OptionSpecs): readonly string[] {
  let waiting: OptionSpec | undefined;
  return words.map((word) => {
    const spec = waiting;
    waiting = undefined;
    if (spec !== undefined) return absolutePath(word, spec);
    const { option, inline } = splitOption(word);
    const [, found] = findOption(option, specs) ?? [];
    if (found?.value === undefined) return word;
    if (inline !== undefined) return `${option}=${absolutePath(inline, found)}`;
    waiting = found;
    return word;
  });
}

function absolutePath(value: string, { isPath, value: placeholder, choices = [] }: OptionSpec) {
  const isFile = isPath === true && placeholder === "FILE";
  const isElsewhere = value === "-" || value.startsWith("~") || choices.includes(value);
  return isFile && !isElsewhere ? resolve(value) : value;
}
