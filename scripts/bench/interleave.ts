/** The samples of one contestant, in round order. */
export type Series<Contestant, Sample> = {
  readonly contestant: Contestant;
  readonly samples: readonly Sample[];
};

/**
 * Runs every contestant once per round, so that a noisy moment of the machine affects all of them. Each round
 * begins with another contestant and every second round runs backwards, so that nobody always runs after the
 * same one. The series keep the order of the contestants.
 */
export async function interleave<Contestant, Sample>(
  contestants: readonly Contestant[],
  rounds: number,
  run: (contestant: Contestant, round: number) => Sample | Promise<Sample>,
): Promise<readonly Series<Contestant, Sample>[]> {
  const series = contestants.map((contestant) => ({ contestant, samples: new Array<Sample>() }));
  for (let round = 0; round < rounds; round++) {
    for (const { contestant, samples } of orderFor(round, series)) {
      samples.push(await run(contestant, round));
    }
  }
  return series;
}

function orderFor<T>(round: number, items: readonly T[]): readonly T[] {
  const start = round % items.length;
  const rotated = [...items.slice(start), ...items.slice(0, start)];
  return round % 2 === 0 ? rotated : rotated.toReversed();
}
