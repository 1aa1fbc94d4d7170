import { expect, test } from "bun:test";
import { describeCommands } from "#commands/completion/completed-commands.ts";
import { shellIds } from "#commands/completion/options.ts";
import { renderCompletion } from "#commands/completion/command.ts";
import { commands } from "#commands/index.ts";

const all = describeCommands(Object.values(commands));

test.each([...shellIds])(
  "the script for %s has every command and option, and its origin",
  (shell) => {
    const script = renderCompletion(shell, all, "1.2.3");
    expect(script).toContain(
      `# Completion of mcp-meter 1.2.3, made by: mcp-meter completion ${shell}\n`,
    );
    for (const { name, options } of all) {
      expect(script).toContain(name);
      for (const option of options) {
        expect(script).toContain(shell === "fish" ? `-l ${option.name} ` : `--${option.name}`);
      }
    }
  },
);

test("the script for zsh is found by compinit: its first line names the command", () => {
  expect(renderCompletion("zsh", all, "1.2.3")).toStartWith("#compdef mcp-meter\n");
});
