/** Milliseconds after which a wait is given up: a busy machine needs many times as long as an idle one. */
export const waitMaxMs = 20_000;

/** What a look found; undefined or false when it is not there yet. */
type Found<T> = T | undefined | false;

/** Waits until `look` finds something and returns it; throws after `withinMs`, naming what was awaited. */
export async function eventually<T>(
  what: string | (() => string),
  look: () => Found<T> | Promise<Found<T>>,
  withinMs = waitMaxMs,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) {
      throw new Error(`not within ${withinMs} ms: ${typeof what === "string" ? what : what()}`);
    }
    await Bun.sleep(1);
  }
}

/** What a promise gives, or an error naming `what` after `withinMs`. */
export async function within<T>(what: string, withinMs: number, promise: Promise<T>): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${withinMs} ms: ${what}`)), withinMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
