/** A whole number with commas between thousands: `18220` → `18,220`. Rounds. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** A share of 0…1 as a percentage with one decimal below ten percent: `0.062` → `6.2%`. */
export function formatShare(share: number): string {
  return `${significant(share * 100)}%`;
}

/** Milliseconds without their unit, with one decimal below ten: `9.9`, `12`, `1,003`. */
export function formatMilliseconds(ms: number): string {
  return significant(ms);
}

/** Milliseconds as seconds with up to three digits: `0.25 s`, `4.2 s`, `1,003 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  return `${seconds < 1000 ? Number(seconds.toPrecision(3)) : formatCount(seconds)} s`;
}

/** A number of things: `1 tool`, `2 tools`, `1,200 breaches`. */
export function plural(count: number, noun: string): string {
  const ending = count === 1 ? "" : noun.endsWith("ch") ? "es" : "s";
  return `${formatCount(count)} ${noun}${ending}`;
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** Bytes in the largest decimal unit that leaves at least one: `512 B`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < byteUnits.length - 1; unit += 1) size /= 1000;
  return `${unit === 0 ? formatCount(size) : significant(size)} ${byteUnits[unit] ?? ""}`;
}

/** Seconds in the largest unit that still says enough, rounded up: `41 seconds`, `2 minutes`, `3 hours`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 120) return plural(Math.ceil(seconds), "second");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? plural(minutes, "minute") : plural(Math.ceil(minutes / 60), "hour");
}

function significant(number: number): string {
  const tenths = number.toFixed(1);
  return Number(tenths) < 10 ? tenths : formatCount(number);
}
