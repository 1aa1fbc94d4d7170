import { dashNamesMax } from "#limits/dash.ts";

export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  add(name: string): number | undefined {
    const known = this.#numbers.get(name);
    if (known !== undefined || this.#names.length >= dashNamesMax) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  at(number: number): string {
    return this.#names[number] ?? "";
  }
}
