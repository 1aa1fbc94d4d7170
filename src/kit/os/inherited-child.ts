import { exitCodes, sentences, UserError } from "../errors.ts";
import type { Ending, Io } from "../io.ts";

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
    throw new UserError(sentences.commandFailed(name, reason), exitCodes.notExecutable);
  } finally {
    stopListening();
  }
}
