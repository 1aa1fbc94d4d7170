import { rememberedTextCharactersMax } from "../../estimators/bpe.ts";
import { countCharacters } from "../client-profiles/common.ts";
import { Bill, type Countable } from "../bill.ts";
import type { Estimator } from "../estimator.ts";
import {
  minify,
  isForUser,
  mayHaveOverhead,
  measureText,
  type Overhead,
  overheadCharactersMin,
} from "./overhead.ts";
import type { Part, TextPart } from "../client-profiles/block.ts";
import { type DataShape, detectJsonShape } from "../data-shape.ts";
import { readString } from "#wire/json.ts";
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

// Leaves out texts that are only for the user. All of their tokens are overhead, so they are counted separately.
function pickTexts(visible: readonly Part[], wire: readonly Part[]): readonly ExaminedText[] {
  if (countCharacters(visible) < overheadCharactersMin) return noTexts;
  const texts = visible.filter((part) => part.kind === "text");
  const sent = new Set(wire);
  const last = texts.findLastIndex((part) => sent.has(part) && part.text.trim() !== "");
  return texts
    .map((part, at) => ({ part, isFollowed: at < last }))
    .filter(({ part }) => !isForUser(part.block))
    .filter(({ part: { text }, isFollowed }) => mayHaveOverhead(text, isFollowed));
}

const noTexts: readonly ExaminedText[] = [];

// `isFollowed`: the server sent another text after `part`. A note that the client appends does not count.
type ExaminedText = { readonly part: TextPart; readonly isFollowed: boolean };

type MeasuredPart = {
  readonly text: string;
  readonly isFollowed: boolean;
  tokens: number | undefined;
};

// Measured after the answer is counted. If time runs out, the overhead is left out: no call's tokens depend on it.
export class OverheadDraft implements Countable {
  readonly #texts: readonly MeasuredPart[];
  readonly #forUser: readonly MeasuredPart[];
  readonly #estimator: Estimator;
  readonly #bill: Bill;
  // Weak, because a part keeps its whole block in memory, media included.
  readonly #measured = new WeakMap<Part, MeasuredPart>();
  readonly #tokens = { preamble: 0, json: 0, minified: 0 };
  readonly #characters = { json: 0, data: 0 };
  #shape: DataShape | undefined;
  #next = 0;
  #isGivenUp = false;

  constructor(texts: readonly ExaminedText[], forUser: readonly Part[], estimator: Estimator) {
    this.#estimator = estimator;
    this.#texts = texts.map(({ part, isFollowed }) => this.#addPart(part, isFollowed));
    this.#forUser = forUser.map((part) => this.#addPart(part));
    this.#bill = new Bill(estimator);
  }

  findMeasured(part: Part): MeasuredPart | undefined {
    return this.#measured.get(part);
  }

  get shape(): DataShape | undefined {
    return this.#texts.length === 1 ? this.#shape : undefined;
  }

  // A text that is not measured yet counts as one character.
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
    // False, because unmeasured overhead is left out of the record, not estimated.
    return false;
  }

  finish(): Overhead | null {
    const { preamble, json, minified } = this.#tokens;
    const user = this.#forUser.reduce((sum, part) => sum + this.#countTokens(part), 0);
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

  #measure(measured: MeasuredPart): void {
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

  #addPart(part: Part, isFollowed = false): MeasuredPart {
    // `chars4` counts the base64 of media as text.
    const base64 = this.#estimator.countContent ? readString(part.block, "data") : undefined;
    const text = part.kind === "text" ? part.text : (base64 ?? "");
    const measured = this.#measured.get(part) ?? { text, isFollowed, tokens: undefined };
    this.#measured.set(part, measured);
    return measured;
  }

  // By now, `tokens` is undefined only for the estimator `chars4`, which just divides the text's length.
  #countTokens({ text, tokens }: MeasuredPart): number {
    return tokens ?? this.#estimator.count(text);
  }
}

// Estimators remember short texts, and a slice would keep the whole answer in memory.
function copyPiece(text: string, from: number, to: number): string {
  const piece = text.slice(from, to);
  return piece.length > rememberedTextCharactersMax ? piece : copyText(piece);
}

/** Unlike a slice, a copy does not keep the original text in memory. */
export function copyText(text: string): string {
  return String(JSON.parse(JSON.stringify(text)));
}
