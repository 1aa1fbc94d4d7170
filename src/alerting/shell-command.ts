import type { Ending, Io } from "#io.ts";

/** A command line of the user that a shell runs. */
export type ShellCommand = {
  readonly command: string;
  /** Everything on its stdin. */
  readonly input: string;
  readonly cwd: string;
};

/** A shell that was started. */
export type RunningShell = {
  readonly ended: Promise<Ending>;
  /** Kills it with all processes of its group. */
  readonly kill: () => void;
};

/**
 * Runs a command line by `sh -c`, in a process group of its own, with our environment. Its output is discarded, so it can neither
 * fill a memory nor reach one of our pipes. Throws when no process can be started.
 */
export function startShell(
  { command, input, cwd }: ShellCommand,
  { platform, signals }: Pick<Io, "platform" | "signals">,
): RunningShell {
  const isWindows = platform === "win32";
  const argv = isWindows
    ? ["cmd.exe", "/d", "/s", "/c", `"${command}"`]
    : ["/bin/sh", "-c", command];
  const child = Bun.spawn(argv, {
    stdin: new TextEncoder().encode(input),
    stdout: "ignore",
    stderr: "ignore",
    cwd,
    detached: !isWindows,
    windowsVerbatimArguments: isWindows,
  });
  child.unref();
  return {
    ended: child.exited.then((code) => {
      const { signalCode } = child;
      return signalCode === null ? { code } : { signal: String(signalCode) };
    }),
    kill: () => {
      // A group whose leader was reaped may be another one by now.
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (isWindows) child.kill("SIGKILL");
      else signals.send(-child.pid, "SIGKILL");
    },
  };
}
