import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sum } from "./figures.ts";

const bytesPerKb = 1024;
const ticksPerSecond = 100;
const compileMaxMs = 60_000;

// Results are undefined once the process is gone; MB are 10^6 bytes.
export function residentMb(pid: number): number | undefined {
  return statusMb(pid, "VmRSS");
}

export function peakResidentMb(pid: number): number | undefined {
  return statusMb(pid, "VmHWM");
}

export function cpuSeconds(pid: number): number | undefined {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Processor time so far of the threads that still run, with the precision of a nanosecond. */
export function processorMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const threads = readdirSync(folder).map((thread) =>
    readOrUndefined(`${folder}/${thread}/schedstat`),
  );
  return sum(threads.map((schedule) => Number(schedule?.split(" ")[0] ?? 0))) / 1e6;
}

function statusMb(pid: number, field: "VmRSS" | "VmHWM"): number | undefined {
  const status = readOrUndefined(`/proc/${pid}/status`) ?? "";
  const kb = new RegExp(String.raw`^${field}:\s*(\d+)`, "m").exec(status)?.[1];
  return kb === undefined ? undefined : (Number(kb) * bytesPerKb) / 1e6;
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

export function compileTee(folder: string): string | undefined {
  const [source, executable] = [join(import.meta.dir, "tee.c"), join(folder, "tee")];
  const works = (compiler: string): boolean =>
    Bun.spawnSync({
      cmd: [compiler, "-O2", "-pthread", "-o", executable, source],
      stdio: ["ignore", "ignore", "ignore"],
      timeout: compileMaxMs,
    }).success;
  const compilers = ["cc", "gcc", "clang"].flatMap((name) => Bun.which(name) ?? []);
  return compilers.some(works) ? executable : undefined;
}

export function compileProgram(source: string, executable: string, ...flags: string[]): string {
  const all = ["--compile", "--minify", "--bytecode", "--format=esm", ...flags];
  const { success, stderr } = Bun.spawnSync({
    cmd: [process.execPath, "build", ...all, "--outfile", executable, source],
    stdio: ["ignore", "ignore", "pipe"],
    timeout: compileMaxMs,
  });
  if (!success) throw new Error(`Cannot compile "${source}": ${String(stderr)}`);
  return executable;
}
