import type { Ending, Io } from "#kit/io.ts";
import { findExecutable } from "#kit/os/child.ts";
import { replaceProcess, runInherited } from "#kit/os/inherited-child.ts";

/** The server replaces this process, or is a child with our stdin, stdout and stderr that gets our signals. Throws UserError when it cannot be started. */
export async function passThrough(
  command: readonly string[],
  io: Pick<Io, "signals" | "platform">,
): Promise<Ending> {
  const [name = ""] = command;
  const path = findExecutable(name, io.platform);
  replaceProcess(path, command, io);
  return runInherited([path, ...command.slice(1)], io.signals);
}
