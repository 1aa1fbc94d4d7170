import { exitCodes } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { stateFolder } from "#storage/folders.ts";
import { sessionsFolder } from "#storage/live/session-files.ts";
import { version } from "#version.ts";
import type { Command } from "../command.ts";
import { printOutput } from "../output/print-output.ts";
import { completedCommands } from "./completed-commands.ts";
import type { CompletionOptions } from "./options.ts";
import { recordedNames } from "./recorded-names.ts";
import { completionScript } from "./shells.ts";

/** Prints the script of a shell for these commands, or names for one, each in a line. */
export function printCompletion(
  commands: readonly Command[],
  options: CompletionOptions,
  io: Io,
): Ending {
  if ("names" in options) {
    const state = stateFolder(io.env);
    const names = state === undefined ? [] : recordedNames(options.names, sessionsFolder(state));
    io.stdout.write(names.map((name) => `${name}\n`).join(""));
    return { code: exitCodes.ok };
  }
  const { shell, output } = options;
  const script = completionScript(shell, completedCommands(commands), version);
  printOutput(() => script, { output, isWide: true }, io);
  return { code: exitCodes.ok };
}
