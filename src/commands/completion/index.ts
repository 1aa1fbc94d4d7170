import { exitCodes } from "#kit/errors.ts";
import { type Command, defineCommand } from "../command.ts";
import { completionOptionGroups, parseCompletionOptions, shellIds } from "./options.ts";

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
      [`echo 'eval "$(mcp-meter completion bash)"' >> ~/.bashrc`, "in bash without that package"],
      [`mcp-meter completion zsh > "\${fpath[1]}/_mcp-meter"`, "in zsh with compinit in ~/.zshrc"],
      ["mcp-meter completion fish -o ~/.config/fish/completions/mcp-meter.fish", "in fish"],
    ],
    exits: [
      ["0", "the script was printed"],
      ["2", "invalid options, or a file that cannot be written"],
    ],
    usageErrorExitCode: exitCodes.usage,
    parse: parseCompletionOptions,
    load: async () => {
      const { printCompletion } = await import("./command.ts");
      return async (options, io) => printCompletion(commands(), options, io);
    },
  });
}
