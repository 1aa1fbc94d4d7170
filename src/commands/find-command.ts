import type { Command } from "./command.ts";
import { runCommand } from "./run/index.ts";

/** Loads `run` without the others: every session waits for it. */
export async function findCommand(name: string): Promise<Command | undefined> {
  if (name === runCommand.name) return runCommand;
  const { commands } = await import("./index.ts");
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
