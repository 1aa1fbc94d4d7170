import type { Ending, Io } from "#kit/io.ts";
import { findExecutable } from "#kit/os/child.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import { constants } from "node:os";
import { takeAddress, cLibrary } from "#kit/os/c-library.ts";
import { commonSentences } from "#kit/sentences.ts";

// The server replaces this process. If that is impossible, it runs as a child that inherits our streams and gets our
// signals. Throws UserError if the server cannot be started.
export async function runUnmetered(
  command: readonly string[],
  io: Pick<Io, "signals" | "platform">,
): Promise<Ending> {
  const [name = ""] = command;
  const path = findExecutable(name, io.platform);
  replaceProcess(path, command, io);
  return runInherited([path, ...command.slice(1)], io.signals);
}

export async function runInherited(
  argv: readonly string[],
  signals: Io["signals"],
): Promise<Ending> {
  const [name = ""] = argv;
  let pid: number | undefined;
  const stopListening = signals.listen((signal) => {
    if (pid !== undefined) signals.send(pid, signal);
  });
  try {
    const child = Bun.spawn([...argv], { stdin: "inherit", stdout: "inherit", stderr: "inherit" });
    ({ pid } = child);
    await child.exited;
    const { signalCode } = child;
    return signalCode === null ? { code: child.exitCode ?? 0 } : { signal: String(signalCode) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(commonSentences.commandFailed(name, reason), exitCodes.notExecutable);
  } finally {
    stopListening();
  }
}

const defaultAction = 0;

const ignoreAction = 1;

const ignoredSignals = ["SIGPIPE", "SIGXFSZ"] as const;

/** Returns only if the replacement fails or is not supported. `argv` begins with the program's name. */
export function replaceProcess(
  path: string,
  argv: readonly string[],
  { platform, library = cLibrary }: { readonly platform: string; readonly library?: string },
): void {
  if (platform !== "linux") return;
  try {
    const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
    const { execvp, signal } = dlopen(library, {
      execvp: { args: ["u64", "u64"], returns: "i32" },
      signal: { args: ["i32", "u64"], returns: "u64" },
    }).symbols;
    const strings = [path, ...argv].map((text) => Buffer.from(`${text}\0`));
    const pointers = new BigUint64Array([
      ...strings.slice(1).map((string) => BigInt(takeAddress(string))),
      0n,
    ]);
    const [file] = strings;
    // The runtime ignores these signals, and without a reset the new program would ignore them too.
    for (const name of ignoredSignals) signal(constants.signals[name], defaultAction);
    // Unlike `execv`, `execvp` lets a shell run a script that has no interpreter line.
    if (file) execvp(takeAddress(file), takeAddress(new Uint8Array(pointers.buffer)));
    for (const name of ignoredSignals) signal(constants.signals[name], ignoreAction);
  } catch {
    // The system lacks the library.
  }
}
