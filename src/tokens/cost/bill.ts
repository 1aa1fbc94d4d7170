import type { Counting } from "../tokenizer/tokenizer.ts";
import { type Estimator, estimateByLength } from "./estimator.ts";
import { readArray, readString } from "#wire/json.ts";

// A bill remembers longer texts, in case they recur. Shorter ones are cheaper to count again.
const recurringCharactersMin = 256;

type Item =
  | { readonly text: string; readonly charge: (tokens: number) => void }
  // Adds its texts when its turn comes; `weight` stands in for their characters until then.
  | { readonly addTexts: () => void; readonly weight: number };

export class Bill implements Countable {
  readonly #estimator: Pick<Estimator, "count" | "begin">;
  readonly #items: (Item | undefined)[] = [];
  // Tokens of long texts, in case they recur; most bills have none.
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
        this.#open(item);
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
      if ("addTexts" in item) this.#open(item);
      else this.#settle(item, estimateByLength(item.text.length));
    }
    return hasUncounted;
  }

  #open({ addTexts, weight }: Extract<Item, { readonly weight: number }>): void {
    this.#dropItem();
    this.#charactersLeft -= weight;
    addTexts();
  }

  #dropItem(): void {
    this.#items[this.#next] = undefined;
    this.#next += 1;
  }

  #settle(item: Extract<Item, { readonly text: string }>, tokens: number): void {
    this.#dropItem();
    this.#counting = undefined;
    this.#charactersLeft -= item.text.length;
    item.charge(tokens);
  }

  #count(text: string, workMax: number): number | undefined {
    if (text.length < recurringCharactersMin) return this.#estimator.count(text);
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

export type BlockCounts = {
  readonly text: number;
  readonly image: number;
  readonly audio: number;
  readonly resource: number;
  readonly resource_link: number;
  readonly other: number;
};

export const noBlocks: BlockCounts = {
  text: 0,
  image: 0,
  audio: 0,
  resource: 0,
  resource_link: 0,
  other: 0,
};

const blockTypes = ["text", "image", "audio", "resource", "resource_link"] as const;

export function countBlocks(result: unknown): BlockCounts {
  const counts = { ...noBlocks };
  for (const block of readArray(result, "content")) {
    const type = readString(block, "type");
    counts[isBlockType(type) ? type : "other"] += 1;
  }
  return counts;
}

function isBlockType(type: string | undefined): type is (typeof blockTypes)[number] {
  return blockTypes.some((known) => known === type);
}

export type Countable = {
  readonly charactersLeft: number;
  advance(workMax: number): number;
  settleByLength(): boolean;
};

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
