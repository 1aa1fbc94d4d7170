import { readFileSync, readlinkSync } from "node:fs";

// Not only a pid, because pids are reused.
export type ProcessMark = {
  readonly pid: number;
  readonly started: string;
  // The machine's current boot, and the process namespace of `pid`.
  readonly space: string;
};

export function readProcessMark(): ProcessMark | undefined {
  try {
    const { pid, started } = parseStat(readFileSync("/proc/self/stat", "latin1"));
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { pid, started, space: `${boot} ${readlinkSync("/proc/self/ns/pid")}` };
  } catch {
    return undefined;
  }
}

// Undefined if this process cannot know: no mark, or one of another boot or namespace.
export function isRunning(
  mark: ProcessMark | undefined,
  current: ProcessMark | undefined,
): boolean | undefined {
  if (!mark || mark.space !== current?.space) return undefined;
  try {
    const { started, state } = parseStat(readFileSync(`/proc/${mark.pid}/stat`, "latin1"));
    // A killed process stays a zombie until its parent reads its exit code.
    return started === mark.started && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

function parseStat(stat: string): { pid: number; state: string; started: string } {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = ""] = fields;
  return { pid: Number.parseInt(stat, 10), state, started: fields[19] ?? "" };
}
