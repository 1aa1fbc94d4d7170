import { chargePart, type ContextPart, type Prompt, shrinkTo, stackFrom } from "./context.ts";
import type { HeldDefinitions, Rent } from "./cost-parts.ts";

type HeldPart = { readonly part: ContextPart; readonly place: number };

export class HeldRents {
  readonly #definitions: readonly HeldDefinitions[];
  readonly #rents: readonly Map<number, Rent>[];
  readonly #arrived = new Set<number>();
  #parts: HeldPart[] = [];

  constructor(definitions: readonly HeldDefinitions[]) {
    this.#definitions = definitions;
    this.#rents = definitions.map(() => new Map());
  }

  get rents(): readonly ReadonlyMap<number, Readonly<Rent>>[] {
    return this.#rents;
  }

  begin(turn: number, size: number): number {
    this.#arrived.clear();
    this.#parts = [];
    const places = this.#arriving(turn);
    const tokens = shrinkTo(size, this.#tokensOf(places));
    this.place(0, places, tokens);
    return tokens.reduce((sum, one) => sum + one, 0);
  }

  arrivals(turn: number): {
    readonly places: readonly number[];
    readonly tokens: readonly number[];
  } {
    const places = this.#arriving(turn);
    return { places, tokens: this.#tokensOf(places) };
  }

  place(start: number, places: readonly number[], tokens: readonly number[]): void {
    for (const [index, part] of stackFrom(start, tokens).entries()) {
      const place = places[index];
      if (place !== undefined) this.#parts.push({ part, place });
    }
  }

  charge(prompt: Prompt, period: number): void {
    for (const { part, place } of this.#parts) {
      const cost = chargePart(part, prompt);
      const rents = this.#rents[place];
      if (!rents || part.end === part.start) continue;
      const rent = rents.get(period) ?? { cost: 0, tokens: 0 };
      rents.set(period, rent);
      rent.cost += cost;
      rent.tokens += part.end - part.start;
    }
  }

  get cost(): number {
    const amounts = this.#rents.flatMap((periods) => [...periods.values()]);
    return amounts.reduce((sum, { cost }) => sum + cost, 0);
  }

  #arriving(turn: number): readonly number[] {
    const places: number[] = [];
    if (this.#arrived.size === this.#definitions.length) return places;
    for (const [place, { from, until = Infinity }] of this.#definitions.entries()) {
      if (from > turn || until <= turn || this.#arrived.has(place)) continue;
      this.#arrived.add(place);
      places.push(place);
    }
    return places;
  }

  #tokensOf(places: readonly number[]): readonly number[] {
    return places.map((place) => this.#definitions[place]?.tokens ?? 0);
  }
}
