import { UserError } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { printOptionSpecs } from "../output/output-options.ts";
import { readText } from "../values.ts";
import { commandSentences } from "../sentences.ts";

export type ShellId = (typeof shellIds)[number];

export const shellIds = ["bash", "zsh", "fish"] as const;

export const completionOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: { output: printOptionSpecs.output },
  },
];

export type CompletionOptions = { readonly shell: ShellId; readonly output: string | undefined };

export function parseCompletionOptions(args: Arguments): CompletionOptions {
  const { options, operands, child = [] } = args;
  const [name, unexpected] = [...operands, ...child];
  if (name === undefined)
    throw new UserError(completionSentences.shellMissing(shellIds.join(", ")));
  if (unexpected !== undefined)
    throw new UserError(commandSentences.argumentUnexpected(unexpected));
  const shell = shellIds.find((id) => id === name);
  if (shell === undefined) {
    const nearest = findNearestName(name, shellIds);
    throw new UserError(completionSentences.shellUnknown(name, nearest, shellIds.join(", ")));
  }
  const output = readText(options, "output");
  return { shell, output: output === "-" ? undefined : output };
}

const completionSentences = {
  shellMissing: (shells: string) => `missing shell; use one of ${shells}`,
  shellUnknown: (word: string, nearest: string | undefined, shells: string) =>
    nearest === undefined
      ? `unknown shell "${word}"; use one of ${shells}`
      : `unknown shell "${word}"; did you mean "${nearest}"?`,
} as const;
