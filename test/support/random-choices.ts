import * as fc from "fast-check";

export class RandomChoices {
  #at = 0;

  readonly #numbers: readonly number[];

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  pick<Choice>(choices: readonly Choice[]): Choice {
    const number = this.#numbers[this.#at++ % this.#numbers.length] ?? 0;
    const choice = choices[number % choices.length];
    if (choice === undefined) throw new Error("no choice");
    return choice;
  }
}

export const anyChoices = fc
  .array(fc.nat(1000), { minLength: 30, maxLength: 60 })
  .map((all) => new RandomChoices(all));

export function shuffled<Item>(items: readonly Item[], draw: RandomChoices): readonly Item[] {
  return items
    .map((item) => ({ item, rank: draw.pick([0, 1, 2, 3, 4]) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
