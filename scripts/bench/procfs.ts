/** What Linux tells about a running process; each answer is undefined once the process is gone. */
import { readdirSync, readlinkSync, readFileSync } from "node:fs";
import { sum } from "./statistics.ts";

const bytesPerKb = 1024;
const ticksPerSecond = 100;

/** Resident megabytes (10^6 bytes) now. */
export function residentMb(pid: number): number | undefined {
  return statusMb(pid, "VmRSS");
}

/** The most megabytes (10^6 bytes) that were ever resident since the program began. */
export function peakResidentMb(pid: number): number | undefined {
  return statusMb(pid, "VmHWM");
}

/** Seconds of processor time so far, of all threads, in steps of 10 ms. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Milliseconds of processor time so far, of the threads that still run, in parts of a microsecond. */
export function processorMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const threads = readdirSync(folder).map((thread) =>
    readOrUndefined(`${folder}/${thread}/schedstat`),
  );
  return sum(threads.map((one) => Number(one?.split(" ")[0] ?? 0))) / 1e6;
}

/** Begins to watch a process; the function returns the processor time that it has used since, in percent of one core. */
export function watchProcessor(pid: number): () => number {
  const usedSeconds = cpuSeconds(pid) ?? Number.NaN;
  const startedMs = performance.now();
  return () => {
    const seconds = (performance.now() - startedMs) / 1000;
    return (100 * ((cpuSeconds(pid) ?? Number.NaN) - usedSeconds)) / seconds;
  };
}

/** How many descriptors are open, without those of `/proc`: the runtime reads its own memory there, for a moment. */
export function descriptorCount(pid: number): number | undefined {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).filter((name) => isLasting(`${folder}/${name}`)).length;
  } catch {
    return undefined;
  }
}

function isLasting(link: string): boolean {
  try {
    return !readlinkSync(link).startsWith("/proc/");
  } catch {
    // It was closed meanwhile.
    return false;
  }
}

/** How many threads run. */
export function threadCount(pid: number): number | undefined {
  return statusNumber(pid, "Threads");
}

/** False when the process is gone or only waits to be reaped. */
export function isAlive(pid: number): boolean {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  return stat !== undefined && !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
}

/** The processes, zombies aside, that have this argument on their command line or within one of its arguments. */
export function findProcesses(argument: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readOrUndefined(`/proc/${pid}/cmdline`)?.includes(argument) === true)
    .filter(isAlive);
}

/** `VmHWM:   61234 kB` → 62.7 */
function statusMb(pid: number, field: "VmRSS" | "VmHWM"): number | undefined {
  const kb = statusNumber(pid, field);
  return kb === undefined ? undefined : (kb * bytesPerKb) / 1e6;
}

function statusNumber(pid: number, field: string): number | undefined {
  const line = readOrUndefined(`/proc/${pid}/status`)
    ?.split("\n")
    .find((entry) => entry.startsWith(`${field}:`));
  return line === undefined ? undefined : Number(/\d+/.exec(line)?.[0]);
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
