import { sentences, UserError } from "#errors.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";

/** What stands before the first `--`. */
export type Words = { readonly flags: RawOptions; readonly operands: readonly string[] };

/**
 * Reads `--name value`, `--name=value`, flags, and operands: words that begin with no dash, and `-` itself.
 * A value that begins with a dash needs the `=`. Throws UserError for an option without its value and for
 * one the command has not. Our own, because every session waits for it: yargs took 13 of the 28 ms
 * that `mcp-meter -- true` lasted.
 */
export function readWords(words: readonly string[], specs: OptionSpecs, command: string): Words {
  const flags: { [name: string]: RawOptions[string] } = {};
  const operands: string[] = [];
  const rest = words.values();
  for (const word of rest) {
    if (!isOption(word)) {
      operands.push(word);
      continue;
    }
    const { option, name, inline } = splitOption(word);
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (!spec) throw new UserError(sentences.optionUnknown(option, command));
    if (spec.value === undefined) {
      flags[name] = inline ?? true;
    } else {
      const value = inline ?? valueOf(name, rest.next().value);
      flags[name] =
        spec.isRepeatable === true ? [flags[name] ?? [], value].flat().map(String) : value;
    }
  }
  return { flags, operands };
}

/** `-h` is the only short option. */
function splitOption(word: string): { option: string; name: string; inline: string | undefined } {
  const [option = "", ...values] = word.split("=");
  const name = option === "-h" ? "help" : option.replace(/^--/, "");
  return { option, name, inline: values.length > 0 ? values.join("=") : undefined };
}

function valueOf(name: string, next: string | undefined): string {
  if (next === undefined || isOption(next)) throw new UserError(sentences.optionMissing(name));
  return next;
}

function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}
