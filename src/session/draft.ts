import { Bill, inTurn, type Countable } from "#cost/bill.ts";
import type { Call } from "#calls/call.ts";
import type { AnswerSize } from "#cost/client-limits.ts";
import type { Confidence } from "#cost/estimation.ts";
import { draftOverhead, type OverheadDraft } from "#cost/overhead-draft.ts";
import { contentBlocks, mediaTokens } from "#cost/price.ts";
import { describeResult, describeError } from "#cost/methods.ts";
import { countBlocks } from "#cost/block-counts.ts";
import type { Reader } from "#cost/reader.ts";
import type { CallRecord, Common, Outcome, ProtocolRecord, RecordBody } from "#records/record.ts";
import { classifyRisk, type RiskThresholds } from "#cost/risk.ts";
import { tokensByLength } from "#cost/tokens-by-length.ts";
import type { Visibility } from "#cost/visibility.ts";
import { compactJson } from "#wire/json.ts";
import type { Closing } from "#calls/outcome.ts";

/** A record whose tokens are still being counted. */
export type Draft = {
  readonly bill: Countable;
  /** The finished record; `isUnread` when some text was priced by its length. */
  finish(isUnread: boolean): RecordBody;
  /** Of the answer as its client shows it, beside the tokens. */
  readonly shown?: Shown;
  /** Records that follow the finished one. */
  follow?(body: RecordBody): readonly RecordBody[];
};

export type Shown = Omit<AnswerSize, "tokens">;

/** What drafts need beside the reader. */
export type DraftDeps = {
  readonly risk: RiskThresholds;
  /** SHA-256 of a text, hexadecimal. */
  readonly hash: (text: string) => string;
};

const nothing: Visibility = { visible: [], wire: [], duplicate: [] };

/** Outcomes whose answer reached nobody: they are charged nothing. */
const unpaid: ReadonlySet<Outcome> = new Set(["cancelled", "refused"]);

/** Begins the record of a call that has ended. */
export function draftCall(call: Call, closing: Closing, reader: Reader, deps: DraftDeps): Draft {
  const bill = new Bill(reader.estimator);
  const tokens = { input: 0, visible: 0, wire: 0, duplicate: 0 };
  const isPaid = !unpaid.has(closing.outcome);
  if (isPaid && !call.isUnread) {
    for (const text of call.asked.input) bill.add(text, (count) => (tokens.input += count));
  }
  const seen = isPaid ? seenOf(call, closing, reader) : nothing;
  const isMeasured = call.method === "tools/call" && closing.result !== undefined;
  const overhead = isMeasured ? draftOverhead(seen.visible, reader.estimator) : undefined;
  const confidence = chargeParts(seen, reader, bill, tokens, overhead);
  if (isPaid && call.truncated) chargeByLength(call, closing, tokens);
  return {
    bill: overhead ? inTurn(bill, overhead) : bill,
    shown: shownOf(seen),
    finish(isUnread) {
      const truncated = call.truncated || isUnread;
      const sizes = sizesOf(call, closing, tokens, truncated);
      if (!call.asked.isPriced) return { type: "protocol", ...sizes };
      return {
        type: "call",
        tool: call.asked.tool,
        ...sizes,
        messages: call.messages,
        wire_tokens: tokens.wire,
        visible_tokens: tokens.visible,
        duplicate_tokens: tokens.duplicate,
        ...hashesOf(call, closing, deps),
        blocks: countBlocks(closing.result),
        overhead: overhead?.finish() ?? null,
        risk: classifyRisk(sizes.total_tokens, deps.risk),
        is_estimated: truncated || confidence !== "high",
        estimation_method: reader.estimator.method,
        estimation_encoding: reader.estimator.encoding,
        confidence: truncated ? "low" : confidence,
      };
    },
  };
}

type Tokens = { input: number; visible: number; wire: number; duplicate: number };

function seenOf(call: Call, closing: Closing, reader: Reader): Visibility {
  if (closing.error !== undefined) return describeError(closing.error);
  if (closing.result === undefined) return nothing;
  return describeResult(call.method, closing.result, reader.profile);
}

/** Charges every part once, to all the sums it belongs to; returns how sure the sums are. */
function chargeParts(
  seen: Visibility,
  reader: Reader,
  bill: Bill,
  tokens: Tokens,
  overhead: OverheadDraft | undefined,
): Confidence {
  const { estimator } = reader;
  let confidence = estimator.confidence;
  const [visible, duplicate] = [new Set(seen.visible), new Set(seen.duplicate)];
  const whole = estimator.content ? contentBlocks(seen.wire) : undefined;
  for (const part of seen.wire) {
    const charge = (count: number): void => {
      tokens.wire += count;
      overhead?.setPartTokens(part, count);
      if (visible.has(part)) tokens.visible += count;
      if (duplicate.has(part)) tokens.duplicate += count;
    };
    if (part.kind === "text") {
      if (!whole?.has(part.block)) bill.add(part.text, charge);
    } else if (!whole) {
      const media = mediaTokens(part, reader);
      charge(media.tokens);
      confidence = lower(confidence, media.confidence);
    }
  }
  if (whole && estimator.content && whole.size > 0) {
    tokens.wire += estimator.content([...whole]);
    const shown = contentBlocks(seen.visible);
    if (shown.size > 0) tokens.visible += estimator.content([...shown]);
    for (const part of seen.duplicate) {
      if (part.kind === "text") bill.add(part.text, (count) => (tokens.duplicate += count));
    }
  }
  return confidence;
}

function shownOf({ visible }: Visibility): Shown {
  let characters = 0;
  for (const part of visible) if (part.kind === "text") characters += part.text.length;
  return { characters, hasImages: visible.some(({ kind }) => kind === "image") };
}

/** The price of a line that was not read: only its length is known. */
function chargeByLength(call: Call, closing: Closing, tokens: Tokens): void {
  if (call.isUnread) tokens.input = tokensByLength(call.inputBytes);
  if (closing.result !== undefined || closing.error !== undefined) return;
  tokens.visible = tokensByLength(call.outputBytes);
  tokens.wire = tokens.visible;
}

type SizesBody = Omit<ProtocolRecord, "type" | keyof Common>;

function sizesOf(call: Call, closing: Closing, tokens: Tokens, truncated: boolean): SizesBody {
  return {
    method: call.method,
    request_id: call.recordedId,
    outcome: closing.outcome,
    input_tokens: tokens.input,
    output_tokens: tokens.visible,
    total_tokens: tokens.input + tokens.visible,
    input_bytes: call.inputBytes,
    output_bytes: call.outputBytes,
    duration_ms: Math.max(0, Math.round((closing.endedMs - call.startedMs) * 1000) / 1000),
    truncated,
  };
}

function hashesOf(
  call: Call,
  closing: Closing,
  { hash }: DraftDeps,
): Pick<CallRecord, "arguments_sha256" | "result_sha256"> {
  const { arguments: args } = call.asked;
  return {
    arguments_sha256: args === undefined || call.isUnread ? null : hash(args),
    result_sha256: closing.result === undefined ? null : hash(compactJson(closing.result)),
  };
}

const sureness: readonly Confidence[] = ["low", "medium", "high"];

function lower(one: Confidence, other: Confidence): Confidence {
  return sureness.indexOf(one) <= sureness.indexOf(other) ? one : other;
}
