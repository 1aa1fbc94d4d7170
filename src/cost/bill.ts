import { recurringCharactersMin } from "#limits.ts";
import type { Counting } from "#tokenizer/tokenizer.ts";
import type { Estimator } from "./estimator.ts";
import { tokensByLength } from "./tokens-by-length.ts";

/** Something that is counted in slices. */
export type Countable = {
  /** Characters that are held and not counted yet. */
  readonly charactersLeft: number;
  /** Counts about `workMax` characters; returns how many it counted, 0 when nothing is left. */
  advance(workMax: number): number;
  /** Charges what is left by its length, without reading it; true when anything was left. */
  settleByLength(): boolean;
};

type Item = { readonly text: string; readonly charge: (tokens: number) => void };

/**
 * Texts to be counted and who is charged for each: counting that can stop after any slice and go on
 * later, so that no text holds up the traffic.
 */
export class Bill implements Countable {
  readonly #estimator: Pick<Estimator, "count" | "begin">;
  readonly #items: Item[] = [];
  readonly #known = new Map<string, number>();
  #next = 0;
  #counting: Counting | undefined;
  #charactersLeft = 0;

  constructor(estimator: Pick<Estimator, "count" | "begin">) {
    this.#estimator = estimator;
  }

  /** Puts a text on the bill; `charge` hears its tokens when it has been counted. */
  add(text: string, charge: (tokens: number) => void): void {
    if (text === "") return;
    this.#items.push({ text, charge });
    this.#charactersLeft += text.length;
  }

  get charactersLeft(): number {
    return this.#charactersLeft;
  }

  advance(workMax: number): number {
    let done = 0;
    while (done < workMax) {
      const item = this.#items[this.#next];
      if (!item) break;
      const tokens = this.#count(item.text, workMax);
      if (tokens === undefined) return workMax;
      this.#settle(item, tokens);
      done += item.text.length;
    }
    return done;
  }

  settleByLength(): boolean {
    const isUnread = this.#charactersLeft > 0;
    for (let item = this.#items[this.#next]; item; item = this.#items[this.#next]) {
      this.#settle(item, tokensByLength(item.text.length));
    }
    return isUnread;
  }

  #settle(item: Item, tokens: number): void {
    this.#next += 1;
    this.#counting = undefined;
    this.#charactersLeft -= item.text.length;
    item.charge(tokens);
  }

  /** Tokens of the current text, or undefined when this slice did not finish it. */
  #count(text: string, workMax: number): number | undefined {
    if (text.length < recurringCharactersMin) return this.#estimator.count(text);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const tokens = this.#slice(text, workMax);
    if (tokens !== undefined) this.#known.set(text, tokens);
    return tokens;
  }

  #slice(text: string, workMax: number): number | undefined {
    if (text.length <= workMax || !this.#estimator.begin) return this.#estimator.count(text);
    this.#counting ??= this.#estimator.begin(text);
    return this.#counting.advance(workMax) ? this.#counting.tokens : undefined;
  }
}

/** The bill of a record that needs no counting. */
export const emptyBill: Countable = {
  charactersLeft: 0,
  advance: () => 0,
  settleByLength: () => false,
};

/** Two bills as one: the second is counted when the first is. */
export function inTurn(first: Countable, second: Countable): Countable {
  return {
    get charactersLeft() {
      return first.charactersLeft + second.charactersLeft;
    },
    advance(workMax) {
      const done = first.advance(workMax);
      return first.charactersLeft > 0 ? done : done + second.advance(workMax - done);
    },
    settleByLength() {
      const isFirstUnread = first.settleByLength();
      return second.settleByLength() || isFirstUnread;
    },
  };
}
