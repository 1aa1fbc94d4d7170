/** Clears its timer after the race, because a timer left behind would keep the process alive. */
export async function raceTimeout<Result, Late>(
  work: Promise<Result>,
  ms: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, expired.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
