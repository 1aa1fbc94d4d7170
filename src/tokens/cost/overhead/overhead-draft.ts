import { overheadCharactersMin, rememberedTextCharactersMax } from "../../limits.ts";
import { countCharacters } from "../client-profiles/common.ts";
import { Bill, type Countable } from "../bill.ts";
import type { Estimator } from "../estimator.ts";
import { minify, isForUser, mayHaveOverhead, measureText, type Overhead } from "./overhead.ts";
import type { Part, TextPart } from "../client-profiles/block.ts";
import { type DataShape, detectJsonShape } from "../methods.ts";
import type { Visibility } from "../visibility.ts";

export function draftOverhead(
  { visible, wire }: Pick<Visibility, "visible" | "wire">,
  estimator: Estimator,
): OverheadDraft | undefined {
  const texts = pickTexts(visible, wire);
  const forUser = visible.filter(({ block }) => isForUser(block));
  if (texts.length === 0 && forUser.length === 0) return undefined;
  return new OverheadDraft(texts, forUser, estimator);
}

// Only text that the server sent counts as further text, because the client may append a mark. Text
// for the user alone is overhead as a whole.
function pickTexts(visible: readonly Part[], wire: readonly Part[]): readonly MeasuredText[] {
  if (countCharacters(visible) < overheadCharactersMin) return noTexts;
  const texts = visible.filter((item) => item.kind === "text");
  const sent = new Set(wire);
  const last = texts.findLastIndex((item) => sent.has(item) && item.text.trim() !== "");
  return texts
    .map((part, at) => ({ part, isFollowed: at < last }))
    .filter(({ part }) => !isForUser(part.block))
    .filter(({ part: { text }, isFollowed }) => mayHaveOverhead(text, isFollowed));
}

const noTexts: readonly MeasuredText[] = [];

type MeasuredText = { readonly part: TextPart; readonly isFollowed: boolean };

type PartPrice = {
  readonly text: string;
  readonly isFollowed: boolean;
  tokens: number | undefined;
};

// Measured after the answer was counted, and dropped if time runs out: no call is charged for it.
export class OverheadDraft implements Countable {
  readonly #texts: readonly PartPrice[];
  readonly #forUser: readonly PartPrice[];
  readonly #estimator: Estimator;
  readonly #bill: Bill;
  // Weak, because a part keeps its whole block in memory, media included.
  readonly #prices = new WeakMap<Part, PartPrice>();
  readonly #tokens = { preamble: 0, json: 0, minified: 0 };
  readonly #characters = { json: 0, data: 0 };
  #shape: DataShape | undefined;
  #next = 0;
  #isGivenUp = false;

  constructor(texts: readonly MeasuredText[], forUser: readonly Part[], estimator: Estimator) {
    this.#texts = texts.map(({ part, isFollowed }) => this.#addPrice(part, isFollowed));
    this.#forUser = forUser.map((part) => this.#addPrice(part));
    this.#estimator = estimator;
    this.#bill = new Bill(estimator);
  }

  findPrice(item: Part): PartPrice | undefined {
    return this.#prices.get(item);
  }

  get shape(): DataShape | undefined {
    return this.#texts.length === 1 ? this.#shape : undefined;
  }

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
      const measured = this.#texts[this.#next];
      if (!measured) break;
      this.#next += 1;
      this.#measure(measured);
      done += measured.text.length;
    }
    return done;
  }

  settleByLength(): boolean {
    if (this.charactersLeft > 0) this.#isGivenUp = true;
    this.#next = this.#texts.length;
    this.#bill.settleByLength();
    return false;
  }

  finish(): Overhead | null {
    const { preamble, json, minified } = this.#tokens;
    const user = this.#forUser.reduce((sum, price) => sum + this.#countTokens(price), 0);
    if (this.#isGivenUp || user + preamble + json === 0) return null;
    const { json: jsonCharacters, data } = this.#characters;
    return {
      user_only_tokens: user,
      preamble_tokens: preamble,
      json_tokens: json,
      minified_tokens: minified,
      structure_ratio:
        jsonCharacters === 0 ? 0 : Math.round((1 - data / jsonCharacters) * 1_000) / 1_000,
    };
  }

  #measure(measured: PartPrice): void {
    const { text, isFollowed } = measured;
    const { data, preamble, punctuation, whiteSpace, document } = measureText(text, isFollowed);
    this.#shape = detectJsonShape(document);
    if (preamble > 0) {
      this.#bill.add(copyPiece(text, 0, preamble), (tokens) => (this.#tokens.preamble += tokens));
    }
    const body = text.slice(preamble);
    if (punctuation === 0 || body.length < overheadCharactersMin) return;
    this.#characters.json += body.length;
    this.#characters.data += data;
    const minified = whiteSpace > 0 ? minify(body) : undefined;
    if (preamble === 0) this.#addJson(this.#countTokens(measured), minified);
    else {
      const json = copyPiece(text, preamble, text.length);
      this.#bill.add(json, (tokens) => this.#addJson(tokens, minified));
    }
  }

  #addJson(tokens: number, minified: string | undefined): void {
    this.#tokens.json += tokens;
    if (minified === undefined) this.#tokens.minified += tokens;
    else this.#bill.add(minified, (count) => (this.#tokens.minified += Math.min(count, tokens)));
  }

  #addPrice(item: Part, isFollowed = false): PartPrice {
    const text = item.kind === "text" ? item.text : "";
    const price = this.#prices.get(item) ?? { text, isFollowed, tokens: undefined };
    this.#prices.set(item, price);
    return price;
  }

  // An estimator that prices whole content arrays prices no part, but counts text cheaply.
  #countTokens({ text, tokens }: PartPrice): number {
    return tokens ?? this.#estimator.count(text);
  }
}

// Estimators remember short texts, which must not keep the whole answer in memory.
function copyPiece(text: string, from: number, to: number): string {
  const piece = text.slice(from, to);
  return piece.length > rememberedTextCharactersMax ? piece : copyText(piece);
}

/** A slice keeps the whole original text alive; a copy does not. */
export function copyText(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === "string" ? copy : text;
}
