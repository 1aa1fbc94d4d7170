import { readFileSync, readlinkSync } from "node:fs";

/** A pid alone is used again for other processes. */
export type ProcessMark = {
  readonly pid: number;
  readonly started: string;
  /** The machine since its last start, and the process namespace of `pid`. */
  readonly space: string;
};

export function ownProcessMark(): ProcessMark | undefined {
  try {
    const { pid, started } = parseStat(readFileSync("/proc/self/stat", "latin1"));
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { pid, started, space: `${boot} ${readlinkSync("/proc/self/ns/pid")}` };
  } catch {
    return undefined;
  }
}

/** Undefined when `own` process cannot know. */
export function isRunning(
  mark: ProcessMark | undefined,
  own: ProcessMark | undefined,
): boolean | undefined {
  if (!mark || mark.space !== own?.space) return undefined;
  try {
    const { started, state } = parseStat(readFileSync(`/proc/${mark.pid}/stat`, "latin1"));
    // A process that was killed stays a zombie until its parent asks for its exit code.
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
