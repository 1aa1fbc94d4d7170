import { groupExitMaxMs, killAfterTermMs } from "#limits.ts";
import { readFileSync } from "node:fs";
import type { ForwardedSignal, Io } from "#io.ts";

/** Signals after which a client may kill us. */
const goodbyes: ReadonlySet<ForwardedSignal> = new Set(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

/**
 * Forwards signals to the child, and stops and continues together with it. Calls `interrupted` after each that
 * asks for the end. Returns a function that ends the forwarding.
 */
export function forwardSignals(
  child: Pick<Bun.Subprocess, "pid" | "exitCode" | "signalCode">,
  io: Pick<Io, "signals" | "pid" | "platform">,
  interrupted: () => void,
): () => void {
  const isLeader = isGroupLeader(io.pid, io.platform);
  const timers: Timer[] = [];
  const schedule = (delayMs: number, act: () => void): void => {
    timers.push(setTimeout(act, delayMs));
  };
  const send = (signal: string): void => {
    if (child.exitCode === null && child.signalCode === null) io.signals.send(child.pid, signal);
  };
  const forward = (signal: ForwardedSignal): void => {
    if (signal === "SIGTSTP" || signal === "SIGCONT") {
      send(signal);
      if (signal === "SIGTSTP") io.signals.send(io.pid, "SIGSTOP");
      return;
    }
    if (isLeader) schedule(groupExitMaxMs, () => send(signal));
    else send(signal);
    if (signal === "SIGTERM") schedule(killAfterTermMs, () => send("SIGKILL"));
  };
  const stopListening = io.signals.listen((signal) => {
    forward(signal);
    if (goodbyes.has(signal)) interrupted();
  });
  return () => {
    stopListening();
    for (const timer of timers) clearTimeout(timer);
  };
}

/**
 * True when we lead our process group. Then a signal was most likely sent to the group, and the child has
 * received it already.
 */
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
