import type { Ending, Io } from "#kit/io.ts";
import { startDiscarded } from "#kit/os/collected-child.ts";

export type ShellCommand = {
  readonly command: string;
  readonly input: string;
  readonly cwd: string;
};

export type RunningShell = {
  readonly ended: Promise<Ending>;
  readonly kill: () => void;
};

/** By `sh -c` in a new process group, without output. Throws when no process can be started. */
export async function startShell(
  { command, input, cwd }: ShellCommand,
  { platform, signals }: Pick<Io, "platform" | "signals">,
): Promise<RunningShell> {
  const isWindows = platform === "win32";
  const argv = isWindows
    ? ["cmd.exe", "/d", "/s", "/c", `"${command}"`]
    : ["/bin/sh", "-c", command];
  const child = await startDiscarded(argv, {
    input,
    cwd,
    detached: !isWindows,
    windowsVerbatimArguments: isWindows,
  });
  return {
    ended: child.ended,
    kill: () => {
      // A group whose leader was reaped may be another one by now.
      if (!child.isRunning()) return;
      if (isWindows) child.kill();
      else signals.send(-child.pid, "SIGKILL");
    },
  };
}
