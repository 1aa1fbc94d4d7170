export function firstNotBefore(times: readonly number[], at: number): number {
  return firstWhere(times, (time) => time >= at);
}

export function firstAfter(times: readonly number[], at: number): number {
  return firstWhere(times, (time) => time > at);
}

function firstWhere(times: readonly number[], fits: (time: number) => boolean): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(times[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
