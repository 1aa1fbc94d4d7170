import { addressOf, type CFunctions } from "#kit/os/c-library.ts";

const clockMonotonic = 1;

/** The same in every thread; the runtime's own clock begins with each thread. */
export function monotonicMs(c: Pick<CFunctions, "clock_gettime">): number {
  const time = new Int32Array(4);
  c.clock_gettime(clockMonotonic, addressOf(time));
  const [secondsLow = 0, secondsHigh = 0, nanosecondsLow = 0] = time;
  const seconds = (secondsLow >>> 0) + secondsHigh * 2 ** 32;
  return seconds * 1_000 + nanosecondsLow / 1_000_000;
}
