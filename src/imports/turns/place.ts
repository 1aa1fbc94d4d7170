/** The index of the first time that is not before `at`; times are sorted. */
export function firstNotBefore(times: readonly number[], at: number): number {
  return firstWhere(times, (time) => time >= at);
}

/** The index of the first time after `at`; times are sorted. */
export function firstAfter(times: readonly number[], at: number): number {
  return firstWhere(times, (time) => time > at);
}

/** The index of the first time that fits; all after it fit too. */
function firstWhere(times: readonly number[], fits: (time: number) => boolean): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(times[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
