import type { Bill } from "#cost/bill.ts";
import { inputTexts, type RequestDescription } from "#cost/methods.ts";
import type { Confidence } from "#cost/estimation.ts";
import type { OverheadDraft } from "#cost/overhead/overhead-draft.ts";
import { contentBlocks, mediaTokens } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import type { Part } from "#cost/part.ts";
import type { Visibility } from "#cost/visibility.ts";

/** Token sums of one call; they grow while its texts are counted. */
export type CallTokens = { input: number; visible: number; wire: number; duplicate: number };

/** The sums that the parts of an answer are charged to. */
export type Charging = {
  readonly bill: Bill;
  readonly tokens: CallTokens;
  readonly overhead: OverheadDraft | undefined;
};

/** Charges every part once, to all the sums it belongs to; returns the confidence of the sums. */
export function chargeParts(
  visibility: Visibility,
  reader: Reader,
  { bill, tokens, overhead }: Charging,
): Confidence {
  let { confidence } = reader.estimator;
  const [visible, duplicate] = [new Set(visibility.visible), new Set(visibility.duplicate)];
  const whole = reader.estimator.content ? contentBlocks(visibility.wire) : undefined;
  const wire = new Set(visibility.wire);
  for (const part of new Set([...visibility.wire, ...visibility.visible])) {
    // Only these values wait with a text, not its part: a part keeps its whole block, media included.
    const isVisible = visible.has(part);
    const isWire = wire.has(part);
    const isDuplicate = duplicate.has(part);
    const price = overhead?.priceOf(part);
    const charge = (count: number): void => {
      if (isWire) tokens.wire += count;
      if (price) price.tokens = count;
      if (isVisible) tokens.visible += count;
      if (isDuplicate) tokens.duplicate += count;
    };
    if (part.kind === "text") {
      if (!whole?.has(part.block)) bill.add(part.text, charge);
    } else if (!whole) {
      confidence = chargeMedia(part, reader, charge, confidence);
    }
  }
  if (whole && whole.size > 0) chargeWhole(visibility, whole, reader, { bill, tokens, overhead });
  return confidence;
}

function chargeMedia(
  part: Exclude<Part, { readonly kind: "text" }>,
  reader: Reader,
  charge: (count: number) => void,
  confidence: Confidence,
): Confidence {
  const media = mediaTokens(part, reader);
  charge(media.tokens);
  return lower(confidence, media.confidence);
}

/** Charges content blocks as a whole, for estimators that price them so. */
function chargeWhole(
  { visible, duplicate }: Visibility,
  whole: ReadonlySet<unknown>,
  { estimator }: Reader,
  { bill, tokens }: Charging,
): void {
  tokens.wire += estimator.content?.([...whole]) ?? 0;
  const shown = contentBlocks(visible);
  if (shown.size > 0) tokens.visible += estimator.content?.([...shown]) ?? 0;
  for (const part of duplicate) {
    if (part.kind === "text") bill.add(part.text, (count) => (tokens.duplicate += count));
  }
}

/** Charges an answer without any part, which is an empty list, by estimators that price lists as a whole. */
export function chargeEmptyList(
  { visible, wire }: Visibility,
  { estimator }: Reader,
  tokens: CallTokens,
): void {
  const frame = estimator.content?.([]) ?? 0;
  if (wire.length === 0) tokens.wire += frame;
  if (visible.length === 0) tokens.visible += frame;
}

const byConfidence: readonly Confidence[] = ["low", "medium", "high"];

/** Charges the input of a call: its texts when they are counted, its images and sounds at once by their size. */
export function chargeInput(
  asked: Pick<RequestDescription, "tool" | "input" | "media">,
  reader: Reader,
  { bill, tokens }: Omit<Charging, "overhead">,
): Confidence {
  for (const text of inputTexts(asked, reader.estimator)) {
    bill.add(text, (count) => (tokens.input += count));
  }
  return (asked.media ?? []).reduce<Confidence>((confidence, part) => {
    return chargeMedia(part, reader, (count) => (tokens.input += count), confidence);
  }, reader.estimator.confidence);
}

/** The lower of two confidences. */
export function lower(one: Confidence, other: Confidence): Confidence {
  return byConfidence.indexOf(one) <= byConfidence.indexOf(other) ? one : other;
}
