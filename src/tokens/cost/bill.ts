import type { Counting } from "../tokenizer/tokenizer.ts";
import { type Estimator, estimateByLength } from "./estimator.ts";

// Shorter texts are cheaper to count again than to remember.
const rememberedCharactersMin = 256;

export type Countable = {
  readonly charactersLeft: number;
  advance(workMax: number): number; // returns the work done, in characters
  settleByLength(): boolean; // estimates the rest; true if there was any
};

type BilledText = { readonly text: string; readonly charge: (tokens: number) => void };

// `addTexts` is called when the texts are due. Until then, `weight` counts as their length.
type LaterTexts = { readonly addTexts: () => void; readonly weight: number };

export class Bill implements Countable {
  readonly #estimator: Pick<Estimator, "count" | "begin">;
  readonly #items: (BilledText | LaterTexts | undefined)[] = [];
  // Holds token counts of long texts, because long texts may recur. Undefined until a long text has been counted.
  #known: Map<string, number> | undefined;
  #next = 0;
  #counting: Counting | undefined;
  #charactersLeft = 0;

  constructor(estimator: Pick<Estimator, "count" | "begin">) {
    this.#estimator = estimator;
  }

  add(text: string, charge: (tokens: number) => void): void {
    if (text === "") return;
    this.#items.push({ text, charge });
    this.#charactersLeft += text.length;
  }

  addLater(weight: number, addTexts: () => void): void {
    this.#items.push({ addTexts, weight });
    this.#charactersLeft += weight;
  }

  get charactersLeft(): number {
    return this.#charactersLeft;
  }

  advance(workMax: number): number {
    let done = 0;
    while (done < workMax) {
      const item = this.#items[this.#next];
      if (!item) break;
      if ("addTexts" in item) {
        this.#addLaterTexts(item);
        continue;
      }
      const tokens = this.#count(item.text, workMax);
      if (tokens === undefined) return workMax;
      this.#settle(item, tokens);
      done += item.text.length;
    }
    return done;
  }

  settleByLength(): boolean {
    const hasUncounted = this.#charactersLeft > 0;
    for (let item = this.#items[this.#next]; item; item = this.#items[this.#next]) {
      if ("addTexts" in item) this.#addLaterTexts(item);
      else this.#settle(item, estimateByLength(item.text.length));
    }
    return hasUncounted;
  }

  #addLaterTexts({ addTexts, weight }: LaterTexts): void {
    this.#dropItem();
    this.#charactersLeft -= weight;
    addTexts();
  }

  #dropItem(): void {
    this.#items[this.#next] = undefined;
    this.#next += 1;
  }

  #settle({ text, charge }: BilledText, tokens: number): void {
    this.#dropItem();
    this.#counting = undefined;
    this.#charactersLeft -= text.length;
    charge(tokens);
  }

  #count(text: string, workMax: number): number | undefined {
    if (text.length < rememberedCharactersMin) return this.#estimator.count(text);
    const known = this.#known?.get(text);
    if (known !== undefined) return known;
    const tokens = this.#countSlice(text, workMax);
    if (tokens === undefined) return undefined;
    this.#known ??= new Map();
    this.#known.set(text, tokens);
    return tokens;
  }

  #countSlice(text: string, workMax: number): number | undefined {
    if (text.length <= workMax || !this.#estimator.begin) return this.#estimator.count(text);
    this.#counting ??= this.#estimator.begin(text);
    return this.#counting.advance(workMax) ? this.#counting.tokens : undefined;
  }
}

export const emptyBill: Countable = {
  charactersLeft: 0,
  advance: () => 0,
  settleByLength: () => false,
};

export function chainBills(first: Countable, second: Countable): Countable {
  return {
    get charactersLeft() {
      return first.charactersLeft + second.charactersLeft;
    },
    advance(workMax) {
      const done = first.advance(workMax);
      return first.charactersLeft > 0 ? done : done + second.advance(workMax - done);
    },
    settleByLength() {
      const hadUncounted = first.settleByLength();
      return second.settleByLength() || hadUncounted;
    },
  };
}
