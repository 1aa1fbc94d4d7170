/** Milliseconds after which a wait is given up: a busy machine needs many times as long as an idle one. */
export const waitMaxMs = 20_000;

type Found<T> = T | undefined | false;

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
    await Bun.sleep(2);
  }
}

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
