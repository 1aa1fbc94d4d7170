import { peakResidentMb, residentMb } from "./procfs.ts";
import type { Point } from "./statistics.ts";

/** The memory of a process while something ran. */
export type Memory = {
  /** The highest that Linux has noted since the process began, in MB. */
  readonly peakMb: number;
  /** Resident MB over seconds since the sampling began. */
  readonly resident: readonly Point[];
};

const sampleEveryMs = 100;

/** Runs `work` and samples the resident memory of `pid` meanwhile, every 100 ms. */
export async function withMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<readonly [T, Memory]> {
  const resident: Point[] = [];
  const startedMs = performance.now();
  const sample = () => {
    const y = residentMb(pid);
    if (y !== undefined) resident.push({ x: (performance.now() - startedMs) / 1000, y });
  };
  sample();
  const timer = setInterval(sample, sampleEveryMs);
  try {
    const result = await work();
    sample();
    return [result, { peakMb: peakResidentMb(pid) ?? Number.NaN, resident }];
  } finally {
    clearInterval(timer);
  }
}
