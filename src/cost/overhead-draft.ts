import { overheadCharactersMin } from "#limits.ts";
import { Bill, type Countable } from "./bill.ts";
import type { Estimator } from "./estimator.ts";
import { isForUser, mayHaveOverhead, measureText, minify, type Overhead } from "./overhead.ts";
import type { Part } from "./visibility.ts";

/** The overhead of one answer; undefined where there is nothing to look at. */
export function draftOverhead(
  visible: readonly Part[],
  estimator: Estimator,
): OverheadDraft | undefined {
  const texts = visible.filter(isWorthReading);
  const forUser = visible.filter(({ block }) => isForUser(block));
  if (texts.length === 0 && forUser.length === 0) return undefined;
  return new OverheadDraft(texts, forUser, estimator);
}

type TextPart = Extract<Part, { kind: "text" }>;

function isWorthReading(part: Part): part is TextPart {
  const isLong = part.kind === "text" && part.text.length >= overheadCharactersMin;
  return isLong && mayHaveOverhead(part.text);
}

/**
 * Overhead being measured, a text at a time, after the answer itself was counted. Given up when time
 * runs out: it is a hint to the server's author and nobody is charged for it.
 */
export class OverheadDraft implements Countable {
  readonly #texts: TextPart[];
  readonly #forUser: readonly Part[];
  readonly #estimator: Estimator;
  readonly #bill: Bill;
  readonly #prices = new Map<Part, number>();
  readonly #tokens = { preamble: 0, json: 0, minified: 0 };
  readonly #characters = { json: 0, data: 0 };
  #next = 0;
  #isGivenUp = false;

  constructor(texts: TextPart[], forUser: readonly Part[], estimator: Estimator) {
    this.#texts = texts;
    this.#forUser = forUser;
    this.#estimator = estimator;
    this.#bill = new Bill(estimator);
  }

  /** A part of the answer was counted. */
  setPartTokens(part: Part, tokens: number): void {
    this.#prices.set(part, tokens);
  }

  /** What the answer's own bill holds counts as one a text here: it is held once. */
  get charactersLeft(): number {
    return this.#texts.length - this.#next + this.#bill.charactersLeft;
  }

  advance(workMax: number): number {
    let done = 0;
    while (done < workMax) {
      if (this.#bill.charactersLeft > 0) {
        done += this.#bill.advance(workMax - done);
        continue;
      }
      const part = this.#texts[this.#next];
      if (!part) break;
      this.#next += 1;
      this.#read(part);
      done += part.text.length;
    }
    return done;
  }

  settleByLength(): boolean {
    if (this.charactersLeft > 0) this.#isGivenUp = true;
    this.#next = this.#texts.length;
    this.#bill.settleByLength();
    return false;
  }

  /** Null when there is nothing to say. */
  finish(): Overhead | null {
    const { preamble, json, minified } = this.#tokens;
    const user = [...this.#forUser].reduce((sum, part) => sum + this.#priceOf(part), 0);
    if (this.#isGivenUp || user + preamble + json === 0) return null;
    const { json: all, data } = this.#characters;
    return {
      user_only_tokens: user,
      preamble_tokens: preamble,
      json_tokens: json,
      minified_tokens: minified,
      structure_ratio: all === 0 ? 0 : Math.round((1 - data / all) * 1_000) / 1_000,
    };
  }

  #read(part: TextPart): void {
    const { text } = part;
    const { data, preamble, punctuation, whiteSpace } = measureText(text);
    if (preamble > 0) {
      this.#bill.add(text.slice(0, preamble), (tokens) => (this.#tokens.preamble += tokens));
    }
    if (punctuation === 0) return;
    const tokens = this.#priceOf(part);
    this.#tokens.json += tokens;
    this.#characters.json += text.length;
    this.#characters.data += data;
    const small = whiteSpace > 0 ? minify(text) : undefined;
    if (small === undefined) this.#tokens.minified += tokens;
    else this.#bill.add(small, (count) => (this.#tokens.minified += Math.min(count, tokens)));
  }

  /** An estimator that prices whole content arrays tells no price of a part; its texts are cheap to count. */
  #priceOf(part: Part): number {
    const text = part.kind === "text" ? part.text : "";
    return this.#prices.get(part) ?? this.#estimator.count(text);
  }
}
