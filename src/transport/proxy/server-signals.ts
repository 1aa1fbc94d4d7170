import type { Io, ForwardedSignal } from "#kit/io.ts";
import { readFileSync } from "node:fs";

// A signal to our whole group reaches the child directly. We forward it only if the child still runs after this time.
const groupExitMaxMs = 1_000;

// Clients kill us 2 s after SIGTERM, so we kill the child before that.
const killAfterTermMs = 1_700;

export const endingSignals: ReadonlySet<ForwardedSignal> = new Set([
  "SIGTERM",
  "SIGINT",
  "SIGHUP",
  "SIGQUIT",
]);

type Target = Pick<Bun.Subprocess, "pid" | "exitCode" | "signalCode">;

type SignalForwarding = {
  readonly attach: (child: Target) => void;
  readonly release: () => void;
};

// Call this before the child starts: otherwise, a signal could end us before we listen, and orphan the child.
export function forwardSignals(
  io: Pick<Io, "signals" | "pid" | "platform">,
  onEndingSignal: () => void,
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
    if (endingSignals.has(signal)) onEndingSignal();
  });
  return {
    attach: (started) => {
      child = started;
    },
    release: () => {
      stopListening();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

// If we lead the group, the signal probably went to the group and has already reached the child.
function isGroupLeader(pid: number, platform: string): boolean {
  if (platform !== "linux") return false;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // Fields after the name in parentheses: state, parent, group.
    const group = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
    return Number(group) === pid;
  } catch {
    return false;
  }
}
