import type { Command } from "./command.ts";
import { runCommand } from "./run/index.ts";

/** The command of that name; undefined when there is none. Every session waits for `run`, so it comes without the others. */
export async function findCommand(name: string): Promise<Command | undefined> {
  if (name === runCommand.name) return runCommand;
  const { commands } = await import("./index.ts");
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
