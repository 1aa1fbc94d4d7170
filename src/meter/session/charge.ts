import { Bill } from "#tokens/cost/bill.ts";
import {
  type Ceiling,
  countCeiling,
  listBlocks,
  estimateMedia,
  boundMedia,
  countParts,
} from "#tokens/cost/count-parts.ts";
import { countExtraBase64 } from "#tokens/cost/client-profiles/unknown-readings.ts";
import { listInputTexts, type RequestDescription } from "#tokens/cost/describe-calls.ts";
import type { Confidence, Estimator } from "#tokens/cost/estimator.ts";
import type { OverheadDraft } from "#tokens/cost/answer-overhead/overhead-draft.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { MediaPart, Part, TextPart } from "#tokens/cost/client-profiles/block.ts";
import type { Visibility, AnswerContext } from "#tokens/cost/visibility.ts";
import type { Closed } from "../calls/call.ts";
import type { Counting } from "#tokens/tokenizer/tokenizer.ts";

export const countingSliceCharacters = 32 * 1024;

export type CallTokens = {
  input: number;
  visible: number;
  wire: number;
  duplicate: number;
  most: number; // upper bound of `visible`
  compared: number; // tokens of the text that the client compares with its limit
};

export function makeZeroTokens(): CallTokens {
  return { input: 0, visible: 0, wire: 0, duplicate: 0, most: 0, compared: 0 };
}

type Charging = {
  readonly bill: Bill;
  readonly tokens: CallTokens;
  readonly overhead: OverheadDraft | undefined;
  readonly isBudgeted?: boolean;
};

// Counting `visibility.ceiling` doubles the time, so it is counted only if `isBudgeted`. Returns the confidence of
// `visible`.
export function chargeParts(
  visibility: Visibility,
  reader: Reader,
  { bill, tokens, overhead, isBudgeted }: Charging,
): Confidence {
  let { confidence } = reader.estimator;
  const listedBlocks = reader.estimator.countContent ? listBlocks(visibility.wire) : undefined;
  const { ceiling } = visibility;
  const hasSeparateCeiling = isBudgeted === true && ceiling !== undefined;
  for (const [piece, charged] of groupSumsByPart(visibility, !hasSeparateCeiling)) {
    // Computed here: a closure that refers to `piece` would keep its block and media in memory.
    const measured = overhead?.findMeasured(piece);
    const charge = (count: number): void => {
      if (measured) measured.tokens = count;
      for (const sum of charged) tokens[sum] += count;
    };
    chargeExtraBase64(piece, reader, charged, tokens);
    if (piece.kind === "text") {
      if (!listedBlocks?.has(piece.block)) bill.add(piece.text, charge);
    } else if (!listedBlocks) {
      const lowered = chargeMedia(piece, reader, charge, confidence);
      if (isBudgeted) chargeExtraMedia(piece, reader, charged, tokens);
      confidence = chooseConfidence(charged, confidence, lowered);
    }
  }
  if (listedBlocks)
    chargeBlockLists(visibility, listSums(visibility, !hasSeparateCeiling), reader, {
      bill,
      tokens,
    });
  if (hasSeparateCeiling) {
    // Assumes that the ceiling has as many characters as all other texts.
    const weight = Math.max(1, bill.charactersLeft);
    bill.addLater(weight, () => chargeCeiling(ceiling(), reader, { bill, tokens }));
  }
  return confidence;
}

// Only media that the model reads may lower the confidence.
function chooseConfidence(
  charged: readonly SumName[],
  confidence: Confidence,
  lowered: Confidence,
): Confidence {
  return charged.includes("visible") ? lowered : confidence;
}

function chargeExtraBase64(
  piece: Part,
  reader: Reader,
  charged: readonly SumName[],
  tokens: CallTokens,
): void {
  if (charged.includes("most")) tokens.most += countExtraBase64(piece, reader);
}

function chargeExtraMedia(
  piece: MediaPart,
  reader: Reader,
  charged: readonly SumName[],
  tokens: CallTokens,
): void {
  if (!charged.includes("most")) return;
  tokens.most += boundMedia(piece, reader) - estimateMedia(piece, reader).tokens;
}

function chargeCeiling(
  ceiling: Ceiling,
  reader: Reader,
  { bill, tokens }: Pick<Charging, "bill" | "tokens">,
): void {
  for (const readings of ceiling) {
    let most = 0;
    for (const parts of readings) {
      const texts = listSeparateTexts(parts, reader);
      let sum = 0;
      const charge = (count: number): void => {
        sum += count;
        tokens.most += Math.max(0, sum - most);
        most = Math.max(most, sum);
      };
      const otherParts = parts.filter((piece) => piece.kind !== "text" || !texts.includes(piece));
      if (otherParts.length > 0 || parts.length === 0) charge(countCeiling([[otherParts]], reader));
      for (const { text } of texts) bill.add(text, charge);
    }
  }
}

function listSeparateTexts(parts: readonly Part[], { estimator }: Reader): readonly TextPart[] {
  const texts = parts.filter((piece) => piece.kind === "text");
  return estimator.countContent ? texts.filter(({ block }) => block === undefined) : texts;
}

type SumName = keyof CallTokens;

type Sum = { readonly sum: SumName; readonly parts: readonly Part[] };

function listSums(visibility: Visibility, includesMost: boolean): readonly Sum[] {
  const { wire, visible, duplicate, beforeLimit: compared = [] } = visibility;
  const { visibleAtMost = visible } = visibility;
  const sums: readonly Sum[] = [
    { sum: "wire", parts: wire },
    { sum: "visible", parts: visible },
    { sum: "duplicate", parts: duplicate },
    { sum: "most", parts: visibleAtMost },
    { sum: "compared", parts: compared },
  ];
  return includesMost ? sums : sums.filter(({ sum }) => sum !== "most");
}

// If a client passes a part to the model unchanged, each of these sums includes the part.
const sumsAsSent: readonly SumName[] = ["wire", "visible", "most"];
const sumsAsSentWithoutMost: readonly SumName[] = ["wire", "visible"];

function groupSumsByPart(
  visibility: Visibility,
  includesMost: boolean,
): Iterable<readonly [Part, readonly SumName[]]> {
  const only = findOnlyPart(visibility);
  if (only) return [[only, includesMost ? sumsAsSent : sumsAsSentWithoutMost]];
  const sums = new Map<Part, SumName[]>();
  for (const { sum, parts } of listSums(visibility, includesMost)) {
    for (const piece of parts) {
      const charged = sums.get(piece);
      if (!charged) sums.set(piece, [sum]);
      else if (charged.at(-1) !== sum) charged.push(sum);
    }
  }
  return sums;
}

function findOnlyPart(visibility: Visibility): Part | undefined {
  const { wire, visible, duplicate, beforeLimit: compared, visibleAtMost = visible } = visibility;
  const isSamePart = wire.length === 1 && visible.length === 1 && wire[0] === visible[0];
  const isPlain = duplicate.length === 0 && compared === undefined;
  return isSamePart && isPlain && visibleAtMost === visible ? wire[0] : undefined;
}

function chargeMedia(
  piece: Exclude<Part, { readonly kind: "text" }>,
  reader: Reader,
  charge: (count: number) => void,
  confidence: Confidence,
): Confidence {
  const media = estimateMedia(piece, reader);
  charge(media.tokens);
  return pickLowerConfidence(confidence, media.confidence);
}

// For estimators that count the list of blocks as a whole.
function chargeBlockLists(
  { duplicate }: Visibility,
  sums: readonly Sum[],
  { estimator }: Reader,
  { bill, tokens }: Pick<Charging, "bill" | "tokens">,
): void {
  for (const { sum, parts } of sums) {
    const blocks = listBlocks(parts);
    if (sum === "duplicate" || blocks.size === 0) continue;
    tokens[sum] += estimator.countContent?.([...blocks]) ?? 0;
  }
  for (const piece of duplicate) {
    if (piece.kind === "text") bill.add(piece.text, (count) => (tokens.duplicate += count));
  }
}

/** For estimators that count the list of blocks as a whole, even an empty list has tokens. */
export function chargeEmptyList(
  visibility: Visibility,
  { estimator }: Reader,
  tokens: CallTokens,
  isBudgeted = false,
): void {
  const { visibleAtMost = visibility.visible, ceiling } = visibility;
  const isMostEmpty = visibleAtMost.length === 0 && !(isBudgeted && ceiling);
  const frame = estimator.countContent?.([]) ?? 0;
  if (visibility.wire.length === 0) tokens.wire += frame;
  if (visibility.visible.length === 0) tokens.visible += frame;
  if (isMostEmpty) tokens.most += frame;
}

export function chargeInput(
  request: Pick<RequestDescription, "tool" | "input" | "media">,
  reader: Reader,
  { bill, tokens }: Omit<Charging, "overhead">,
): Confidence {
  for (const text of listInputTexts(request, reader.estimator)) {
    bill.add(text, (count) => (tokens.input += count));
  }
  return (request.media ?? []).reduce<Confidence>((confidence, piece) => {
    return chargeMedia(piece, reader, (count) => (tokens.input += count), confidence);
  }, reader.estimator.confidence);
}

const confidenceOrder: readonly Confidence[] = ["low", "medium", "high"];

export function pickLowerConfidence(left: Confidence, right: Confidence): Confidence {
  return confidenceOrder.indexOf(left) <= confidenceOrder.indexOf(right) ? left : right;
}

// Counts texts immediately, up to `countingSliceCharacters` in all. A text that no longer fits counts as 0 until `bill`
// has counted it; `isWaiting` is true until then.
export class DeferredCounts {
  readonly #reader: Reader;
  #estimator: Estimator | undefined;
  #bill: Bill | undefined;
  #known: Map<string, number> | undefined;
  #waiting: Set<string> | undefined;
  #charactersLeft = countingSliceCharacters;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  readonly count: AnswerContext["count"] = (parts, enough) =>
    countParts(parts, { ...this.#reader, estimator: this.estimator }, enough);

  get estimator(): Estimator {
    this.#estimator ??= {
      ...this.#reader.estimator,
      count: (text) => this.#countOrDefer(text),
      countWithin: (text, limit) => {
        const tokens = this.#countOrDefer(text);
        return tokens <= limit ? tokens : undefined;
      },
    };
    return this.#estimator;
  }

  get bill(): Bill {
    this.#bill ??= new Bill(this.#reader.estimator);
    return this.#bill;
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined && this.#waiting.size > 0;
  }

  makeRememberingCounter(): Pick<Estimator, "count" | "begin"> {
    const { estimator } = this.#reader;
    const known = this.#known;
    if (!known) return estimator;
    const count = (text: string): number => known.get(text) ?? estimator.count(text);
    const begin = (text: string): Counting =>
      (known.has(text) ? undefined : estimator.begin?.(text)) ?? {
        advance: () => true,
        tokens: count(text),
      };
    return { count, begin };
  }

  #countOrDefer(text: string): number {
    const { estimator } = this.#reader;
    this.#known ??= new Map();
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    // An estimator without `begin` is fast for any text.
    if (!estimator.begin || text.length <= this.#charactersLeft) {
      this.#charactersLeft -= text.length;
      const tokens = estimator.count(text);
      this.#known.set(text, tokens);
      return tokens;
    }
    this.#defer(text);
    return 0;
  }

  #defer(text: string): void {
    this.#waiting ??= new Set();
    if (this.#waiting.has(text)) return;
    this.#waiting.add(text);
    this.bill.add(text, (tokens) => {
      this.#known?.set(text, tokens);
      this.#waiting?.delete(text);
    });
  }
}

type CeilingCount = { readonly closed: Closed; readonly bill: Bill; readonly tokens: CallTokens };

// Counts the upper bounds of long answers in slices, one answer after the other.
export class CeilingCounts {
  readonly #waiting: CeilingCount[] = [];
  readonly #counted = new WeakMap<Closed, number>();

  // Returns undefined until `advance` has counted the upper bound.
  requestUpperBound(closed: Closed, ceiling: () => Ceiling, reader: Reader): number | undefined {
    const most = this.#counted.get(closed);
    if (most !== undefined || this.#waiting.some((count) => count.closed === closed)) return most;
    const bill = new Bill(reader.estimator);
    const tokens = makeZeroTokens();
    bill.addLater(1, () => chargeCeiling(ceiling(), reader, { bill, tokens }));
    this.#waiting.push({ closed, bill, tokens });
    return undefined;
  }

  get backlog(): number {
    return this.#waiting.reduce((sum, { bill }) => sum + bill.charactersLeft, 0);
  }

  drop(): void {
    this.#waiting.length = 0;
  }

  advance(workMax: number): boolean {
    const [first] = this.#waiting;
    first?.bill.advance(workMax);
    if (!first || first.bill.charactersLeft > 0) return false;
    this.#waiting.shift();
    this.#counted.set(first.closed, first.tokens.most);
    return true;
  }
}
