// Makers count their limits by the minute.
export const exactWaitMaxMs = 65_000;

export function isTemporary(status: number): boolean {
  return status === 429 || (status >= 500 && status <= 599);
}

/** Milliseconds by `Retry-After` (seconds, or a date), else doubled after each attempt from 0. Undefined beyond the longest wait. */
export function retryDelay(
  header: string | null,
  attempt: number,
  now: number,
): number | undefined {
  const wanted = header === null ? undefined : waitIn(header.trim(), now);
  const delay = wanted ?? 1000 * 2 ** attempt;
  return delay <= exactWaitMaxMs ? delay : undefined;
}

function waitIn(header: string, now: number): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const date = Date.parse(header);
  // A moment that is over asks for nothing: the clocks differ.
  return date > now ? date - now : undefined;
}
