import { readFileSync } from "node:fs";
import type { ForwardedSignal, Io } from "#io.ts";
import type { Child } from "#os/child.ts";

/** A group's signal has reached the child as well; it is passed on only if the child stays that long. */
const groupGraceMs = 1_000;

/** Clients kill 2 s after a TERM; the child must be gone before the meter is. */
const killAfterTermMs = 1_700;

/**
 * Passes signals on to the child and stops and continues with it. Returns a function that ends this.
 */
export function forwardSignals(
  child: Child,
  io: Pick<Io, "signals" | "pid" | "platform">,
): () => void {
  const leads = leadsGroup(io.pid, io.platform);
  const timers: Timer[] = [];
  const later = (ms: number, act: () => void): void => {
    timers.push(setTimeout(act, ms));
  };
  const send = (signal: string): void => {
    if (child.exitCode === null && child.signalCode === null) io.signals.send(child.pid, signal);
  };
  const hear = (signal: ForwardedSignal): void => {
    if (signal === "SIGTSTP" || signal === "SIGCONT") {
      send(signal);
      if (signal === "SIGTSTP") io.signals.send(io.pid, "SIGSTOP");
      return;
    }
    if (leads) later(groupGraceMs, () => send(signal));
    else send(signal);
    if (signal === "SIGTERM") later(killAfterTermMs, () => send("SIGKILL"));
  };
  const ignore = io.signals.listen(hear);
  return () => {
    ignore();
    for (const timer of timers) clearTimeout(timer);
  };
}

/** True when we lead our process group: then whoever signals us most likely signals the group. */
function leadsGroup(pid: number, platform: string): boolean {
  if (platform !== "linux") return false;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name in parentheses: state, parent, group.
    const group = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
    return Number(group) === pid;
  } catch {
    return false;
  }
}
