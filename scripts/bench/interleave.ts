/** What one contestant yielded, in round order. */
export interface Series<Contestant, Sample> {
  readonly contestant: Contestant;
  readonly samples: readonly Sample[];
}

/**
 * Runs every contestant once a round, one after the other, so that a noisy moment of the machine
 * touches all of them; each round begins with another one. The series keep the contestants' order.
 */
export async function interleave<Contestant, Sample>(
  contestants: readonly Contestant[],
  rounds: number,
  run: (contestant: Contestant, round: number) => Sample | Promise<Sample>,
): Promise<readonly Series<Contestant, Sample>[]> {
  const series = contestants.map((contestant) => ({ contestant, samples: new Array<Sample>() }));
  for (let round = 0; round < rounds; round++) {
    for (const { contestant, samples } of rotated(series, round)) {
      samples.push(await run(contestant, round));
    }
  }
  return series;
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
