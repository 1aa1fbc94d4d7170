import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { version } from "#kit/version.ts";
import type { Command } from "../command.ts";
import { printOutput } from "../output/print-output.ts";
import { completedCommands, type CompletedCommand } from "./completed-commands.ts";
import type { CompletionOptions, ShellId } from "./options.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

const scripts: {
  readonly [shell in ShellId]: (commands: readonly CompletedCommand[]) => string;
} = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionScript(
  shell: ShellId,
  commands: readonly CompletedCommand[],
  madeBy: string,
): string {
  // zsh finds the command of a file in its first line.
  const first = shell === "zsh" ? "#compdef mcp-meter\n" : "";
  const origin = `# Completion of mcp-meter ${madeBy}, made by: mcp-meter completion ${shell}\n\n`;
  return `${first}${origin}${scripts[shell](commands)}`;
}

export async function printCompletion(
  commands: readonly Command[],
  { shell, output }: CompletionOptions,
  io: Io,
): Promise<Ending> {
  const script = completionScript(shell, completedCommands(commands), version);
  await printOutput(() => script, { output, isWide: true }, io);
  return { code: exitCodes.ok };
}
