import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { version } from "#kit/version.ts";
import type { Command } from "../command.ts";
import { printOutput } from "../output/print-output.ts";
import { completedCommands } from "./completed-commands.ts";
import type { CompletionOptions } from "./options.ts";
import { completionScript } from "./shells.ts";

export async function printCompletion(
  commands: readonly Command[],
  { shell, output }: CompletionOptions,
  io: Io,
): Promise<Ending> {
  const script = completionScript(shell, completedCommands(commands), version);
  await printOutput(() => script, { output, isWide: true }, io);
  return { code: exitCodes.ok };
}
