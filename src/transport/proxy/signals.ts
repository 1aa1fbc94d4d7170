import { readFileSync } from "node:fs";
import type { ForwardedSignal, Io } from "#kit/io.ts";

// When the signal was probably sent to the whole process group.
export const groupExitMaxMs = 1_000;

// Clients kill us 2 s after SIGTERM, and the child must exit first.
export const killAfterTermMs = 1_700;

/** After these a client may kill us. */
const goodbyes: ReadonlySet<ForwardedSignal> = new Set(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

type Target = Pick<Bun.Subprocess, "pid" | "exitCode" | "signalCode">;

export type SignalForwarding = {
  readonly to: (child: Target) => void;
  readonly release: () => void;
};

// Begin before the child is started: a signal in between would end us and leave the child to be killed.
export function forwardSignals(
  io: Pick<Io, "signals" | "pid" | "platform">,
  interrupted: () => void,
): SignalForwarding {
  let child: Target | undefined;
  const timers: Timer[] = [];
  const schedule = (delayMs: number, act: () => void): void => {
    timers.push(setTimeout(act, delayMs));
  };
  const send = (signal: string): void => {
    if (child?.exitCode === null && child.signalCode === null) io.signals.send(child.pid, signal);
  };
  const forward = (signal: ForwardedSignal): void => {
    if (signal === "SIGTSTP" || signal === "SIGCONT") {
      send(signal);
      if (signal === "SIGTSTP") io.signals.send(io.pid, "SIGSTOP");
      return;
    }
    if (isGroupLeader(io.pid, io.platform)) schedule(groupExitMaxMs, () => send(signal));
    else send(signal);
    if (signal === "SIGTERM") schedule(killAfterTermMs, () => send("SIGKILL"));
  };
  const stopListening = io.signals.listen((signal) => {
    forward(signal);
    if (goodbyes.has(signal)) interrupted();
  });
  return {
    to: (started) => {
      child = started;
    },
    release: () => {
      stopListening();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** If we lead the group, a signal was most likely sent to the group, and the child has received it already. */
function isGroupLeader(pid: number, platform: string): boolean {
  if (platform !== "linux") return false;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // The fields after the name in parentheses: state, parent, group.
    const group = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
    return Number(group) === pid;
  } catch {
    return false;
  }
}
