import { sentences, UserError } from "#kit/errors.ts";
import { nearestName } from "#kit/text/nearest.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { textOption } from "../values.ts";

export type ShellId = (typeof shellIds)[number];

export const shellIds = ["bash", "zsh", "fish"] as const;

export const completionOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      output: {
        value: "FILE",
        describe: "write to a file in place of stdout",
        short: "o",
        isPath: true,
        isFlagOnly: true,
      },
    },
  },
];

export type CompletionOptions = { readonly shell: ShellId; readonly output: string | undefined };

export function parseCompletionOptions(args: Arguments): CompletionOptions {
  const { options, operands, child = [] } = args;
  const [word, unexpected] = [...operands, ...child];
  if (word === undefined) throw new UserError(sentences.shellMissing(shellIds.join(", ")));
  if (unexpected !== undefined) throw new UserError(sentences.argumentUnexpected(unexpected));
  const shell = shellIds.find((id) => id === word);
  if (shell === undefined) {
    const nearest = nearestName(word, shellIds);
    throw new UserError(sentences.shellUnknown(word, nearest, shellIds.join(", ")));
  }
  const output = textOption(options, "output");
  return { shell, output: output === "-" ? undefined : output };
}
