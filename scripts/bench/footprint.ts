import { descriptorCount, residentMb, threadCount } from "./procfs.ts";
import { type Point, slope } from "./statistics.ts";

const warmUpShare = 1 / 3;
const warmUpMinutesMax = 5;

/** The memory, descriptors and threads of a process over minutes; only samples after warm-up are judged. */
export class Footprint {
  readonly #pid: number;
  readonly #warmUpMinutes: number;
  readonly #now: () => number;
  readonly #startedMs: number;
  readonly #resident: Point[] = [];
  readonly #descriptors = new Set<number>();
  readonly #threads = new Set<number>();

  /** Begins now; `minutes` is how long it will last, `now` a clock in milliseconds. */
  constructor(pid: number, minutes: number, now: () => number = () => performance.now()) {
    this.#pid = pid;
    this.#now = now;
    this.#startedMs = now();
    this.#warmUpMinutes = Math.min(minutes * warmUpShare, warmUpMinutesMax);
  }

  sample(): void {
    const x = (this.#now() - this.#startedMs) / 60_000;
    this.#resident.push({ x, y: residentMb(this.#pid) ?? Number.NaN });
    if (x < this.#warmUpMinutes) return;
    this.#descriptors.add(descriptorCount(this.#pid) ?? Number.NaN);
    this.#threads.add(threadCount(this.#pid) ?? Number.NaN);
  }

  /** Resident MB over minutes, warm-up included. */
  get resident(): readonly Point[] {
    return this.#resident;
  }

  /** The samples of `resident` after warm-up. */
  get settled(): readonly Point[] {
    return this.#resident.filter(({ x }) => x >= this.#warmUpMinutes);
  }

  /** Least squares of the settled memory, in MB a minute. */
  get mbPerMinute(): number {
    return slope(this.settled);
  }

  /** The highest settled memory. */
  get highestMb(): number {
    return highest(this.settled);
  }

  /** The highest memory of the last third of the settled samples, divided by that of the first third. */
  get growth(): number {
    const { settled } = this;
    const third = Math.ceil(settled.length / 3);
    return highest(settled.slice(-third)) / highest(settled.slice(0, third));
  }

  /** The numbers of open descriptors, each once. */
  get descriptors(): ReadonlySet<number> {
    return this.#descriptors;
  }

  /** The numbers of threads, each once. */
  get threads(): ReadonlySet<number> {
    return this.#threads;
  }
}

function highest(points: readonly Point[]): number {
  return points.length === 0 ? Number.NaN : Math.max(...points.map(({ y }) => y));
}
