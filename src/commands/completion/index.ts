import { UserError } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { type Arguments, type Command, defineCommand, type OptionGroup } from "../command.ts";
import { printOptionSpecs } from "../output/output-options.ts";
import { commandSentences } from "../sentences.ts";
import { readText } from "../option-values.ts";
import type { CompletionOptions, ShellId } from "./command.ts";

export const shellIds: readonly ShellId[] = ["bash", "zsh", "fish"];

const completionOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: { output: printOptionSpecs.output },
  },
];

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

export function defineCompletionCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: "completion",
    summary: "Print a shell completion script",
    usage: "mcp-meter completion bash|zsh|fish [-o FILE]",
    operands: shellIds,
    groups: completionOptionGroups,
    examples: [
      [
        "mcp-meter completion bash >> ~/.bash_completion",
        "in bash with the package bash-completion",
      ],
      [
        `echo 'eval "$(mcp-meter completion bash)"' >> ~/.bashrc`,
        "in bash without bash-completion",
      ],
      [`mcp-meter completion zsh > "\${fpath[1]}/_mcp-meter"`, "in zsh with compinit in ~/.zshrc"],
      ["mcp-meter completion fish -o ~/.config/fish/completions/mcp-meter.fish", "in fish"],
    ],
    exits: [
      ["0", "the script was printed"],
      ["2", "invalid options, or a file that cannot be written"],
    ],
    parse: parseCompletionOptions,
    load: async () => {
      const { printCompletion } = await import("./command.ts");
      return async (options, io) => printCompletion(commands(), options, io);
    },
  });
}
