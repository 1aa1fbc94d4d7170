import { bashScript } from "./bash.ts";
import type { CompletedCommand } from "./completed-commands.ts";
import { fishScript } from "./fish.ts";
import type { ShellId } from "./options.ts";
import { zshScript } from "./zsh.ts";

const scripts: {
  readonly [shell in ShellId]: (commands: readonly CompletedCommand[]) => string;
} = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionScript(
  shell: ShellId,
  commands: readonly CompletedCommand[],
  version: string,
): string {
  // zsh finds the command of a file in its first line.
  const first = shell === "zsh" ? "#compdef mcp-meter\n" : "";
  const origin = `# Completion of mcp-meter ${version}, made by: mcp-meter completion ${shell}\n\n`;
  return `${first}${origin}${scripts[shell](commands)}`;
}
