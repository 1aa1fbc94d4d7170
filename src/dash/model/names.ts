import { dashNamesMax } from "#limits/dash.ts";

/** Names by numbers, so that a table of many calls has each name once. */
export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  /** The number of a name; undefined when there is no room for another one. */
  add(name: string): number | undefined {
    const known = this.#numbers.get(name);
    if (known !== undefined || this.#names.length >= dashNamesMax) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  /** The number of a name that was added. */
  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** The name of a number that `add` gave. */
  at(number: number): string {
    return this.#names[number] ?? "";
  }
}
