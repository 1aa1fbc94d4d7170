/** The samples of one contestant, in round order. */
export type Series<Contestant, Sample> = {
  readonly contestant: Contestant;
  readonly samples: readonly Sample[];
};

/**
 * Runs every contestant once per round, so that a noisy moment of the machine affects all of them. Over twice as many
 * rounds as there are contestants, each runs directly after each other one equally often: one that always runs after a
 * large program finds its own pages cold. The series keep the order of the contestants.
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

/** A row of a square in which every pair of neighbours is equally frequent (Williams, 1949). */
function orderFor<T>(round: number, items: readonly T[]): readonly T[] {
  const { length } = items;
  const row = items.flatMap((_, step) => {
    // 0, 1, −1, 2, −2 …
    const place = step % 2 === 0 ? -step / 2 : (step + 1) / 2;
    return items.slice((((place + round) % length) + length) % length).slice(0, 1);
  });
  return Math.floor(round / length) % 2 === 0 ? row : row.toReversed();
}
