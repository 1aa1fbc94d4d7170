import { describeAnswer, type Call, readComparedArguments, type Closing } from "../calls/call.ts";
import { type Countable, emptyBill, chainBills, Bill } from "#tokens/cost/bill.ts";
import { classifyRisk, type RiskThresholds } from "#tokens/cost/risk.ts";
import { countBlocks, noBlocks } from "#tokens/cost/client-profiles/block.ts";
import {
  type Visibility,
  hasAddedText,
  rateAnswerConfidence,
  type AnswerContext,
  makeAnswerContext,
} from "#tokens/cost/visibility.ts";
import type { CommonMembers, MeterRecord, CallRecord, ExchangeMembers } from "#records/record.ts";
import { estimateByLength, type Confidence } from "#tokens/cost/estimator.ts";
import type { Overhead } from "#tokens/cost/answer-overhead/overhead.ts";
import { draftOverhead, type OverheadDraft } from "#tokens/cost/answer-overhead/overhead-draft.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { type DataShape, detectShapeIfCheap, addRowLimit } from "#tokens/cost/data-shape.ts";
import { stringifyCompact } from "#wire/json.ts";
import {
  type CallTokens,
  chargeEmptyList,
  chargeInput,
  chargeParts,
  pickLowerConfidence,
  makeZeroTokens,
  DeferredCounts,
} from "./charge.ts";
import { makeClientKeys } from "./participants.ts";

export type Draft = {
  readonly bill: Countable;
  // Makes the whole record at once: adding `common` later would copy the record.
  finish(common: CommonMembers, isEstimatedByLength: boolean): MeterRecord;
  readonly shown?: Shown | undefined;
  readonly isDeferred?: boolean; // the call's messages stay in memory until their texts are counted
};

// `limited` is undefined if the client shows the whole answer.
export type Shown = {
  readonly limited:
    | (NonNullable<Visibility["limited"]> & {
        readonly isFramed: boolean; // the client's limit also counts text that the client adds
        readonly tokens: () => number; // of the text compared with the limit
      })
    | undefined;
};

export type CallDraftDeps = {
  readonly risk: RiskThresholds;
  readonly hash: (text: string) => string;
  readonly hasTokenBudgets?: boolean;
};

const noHashes = { arguments_sha256: null, result_sha256: null } as const;

/** Returns a deferred draft if the shown part of the answer depends on the tokens of a long text. */
export function draftCall(
  call: Call,
  closing: Closing,
  reader: Reader,
  deps: CallDraftDeps,
): Draft {
  if (closing.outcome === "cancelled" || call.isForApp)
    return draftUncounted(call, closing, reader, deps);
  const counts = new DeferredCounts(reader);
  const begin = (context: AnswerContext): Draft | undefined => {
    const answers = {
      delivered: describeAnswer(call.method, closing, context),
      replaced: closing.replaced && describeAnswer(call.method, closing.replaced, context),
    };
    if (counts.isWaiting) return undefined;
    const bill = new Bill(counts.makeRememberingCounter());
    return draftAnswers({ call, closing, answers, bill }, reader, deps);
  };
  const context = makeAnswerContext(reader, call.request, counts.count);
  const drafted = begin(context);
  if (drafted) return drafted;
  const frozen = freezeContext(context);
  return new DeferredDraft(counts, () => begin(frozen));
}

// Reads the declared limit now, so that a later tool list does not change the count of this answer.
function freezeContext(context: AnswerContext): AnswerContext {
  const declared = context.declaredCharactersMax();
  return { ...context, declaredCharactersMax: () => declared };
}

type AnsweredCall = {
  readonly call: Call;
  readonly closing: Closing;
  readonly answers: {
    readonly delivered: Visibility;
    readonly replaced: Visibility | undefined;
  };
  readonly bill: Bill;
};

function draftAnswers(answered: AnsweredCall, reader: Reader, deps: CallDraftDeps): Draft {
  const { call, closing, answers, bill } = answered;
  const tokens = makeZeroTokens();
  const countedRequest = call.isRequestUnparsed ? { tool: null, input: [] } : call.request;
  const inputConfidence = chargeInput(countedRequest, reader, { bill, tokens });
  const visibility = answers.delivered;
  const isRefused = closing.outcome === "refused";
  const { overhead, shape } = measureAnswer(answered, reader);
  const isBudgeted = !isRefused && deps.hasTokenBudgets === true;
  const partsConfidence = chargeParts(visibility, reader, { bill, tokens, overhead, isBudgeted });
  if (closing.result !== undefined) chargeEmptyList(visibility, reader, tokens, isBudgeted);
  const confidence = pickLowerConfidence(
    inputConfidence,
    rateAnswerConfidence(partsConfidence, visibility),
  );
  const serverAnswerTokens = chargeReplaced(answered, reader) ?? tokens;
  if (call.truncated) chargeByLength(call, closing, tokens);
  const digest = digestCall(call, closing, reader, deps);
  return {
    bill: overhead ? chainBills(bill, overhead) : bill,
    shown: isRefused ? undefined : describeShown(visibility, tokens),
    finish: (common, isEstimatedByLength) => {
      tokens.wire = serverAnswerTokens.wire;
      const counted = {
        tokens,
        savedTokens: call.isNoted
          ? Math.max(0, serverAnswerTokens.visible - tokens.visible)
          : undefined,
        overhead: overhead?.finish() ?? null,
        shape: shape?.(),
        confidence,
        isEstimatedByLength,
        isScripted: visibility.isScripted,
      };
      return makeRecord(call, digest, counted, { common, reader, deps });
    },
  };
}

type Measurements = {
  readonly overhead?: OverheadDraft | undefined;
  readonly shape?: () => DataShape | undefined;
};

function measureAnswer({ call, closing, answers }: AnsweredCall, reader: Reader): Measurements {
  const { outcome, result, replaced } = closing;
  if (call.method !== "tools/call" || result === undefined || outcome === "refused") return {};
  const overhead = draftOverhead(answers.delivered, reader.estimator);
  const cheapShape = detectShapeIfCheap((replaced ?? closing).result);
  const hasOnePart = answers.delivered.wire.length === 1;
  const { rowLimit } = call.request;
  const shape = (): DataShape | undefined =>
    addRowLimit(cheapShape ?? (hasOnePart ? overhead?.shape : undefined), rowLimit);
  return { overhead, shape };
}

function describeShown(
  { limited, beforeLimit: compared = [], wire }: Visibility,
  tokens: CallTokens,
): Shown {
  if (!limited) return { limited };
  const isFramed = hasAddedText(compared, wire);
  return { limited: { ...limited, isFramed, tokens: () => tokens.compared } };
}

// The client got our answer, but `wire_tokens` in the record counts the server's answer.
function chargeReplaced(
  { call, closing: { replaced }, answers, bill }: AnsweredCall,
  reader: Reader,
): Pick<CallTokens, "wire" | "visible"> | undefined {
  const visibility = answers.replaced;
  if (!replaced || !visibility) return undefined;
  const isParsed = replaced.result !== undefined || replaced.error !== undefined;
  if (!isParsed) return { ...makeZeroTokens(), wire: estimateByLength(call.outputBytes) };
  const tokens = makeZeroTokens();
  chargeParts(visibility, reader, { bill, tokens, overhead: undefined });
  if (replaced.result !== undefined) chargeEmptyList(visibility, reader, tokens);
  return tokens;
}

type Digest = Pick<Closing, "outcome" | "endedMs"> &
  Pick<CallRecord, "arguments_sha256" | "result_sha256" | "blocks">;

function digestCall(call: Call, closing: Closing, reader: Reader, { hash }: CallDraftDeps): Digest {
  const { outcome, endedMs } = closing;
  const result = outcome === "refused" ? undefined : closing.result;
  // If a note replaced the server's answer, the hash is of the answer, not of the note. Repeats then have equal hashes.
  const hashed = call.isNoted ? closing.replaced?.result : result;
  if (!call.request.isCall) return { outcome, endedMs, ...noHashes, blocks: noBlocks };
  const args = readComparedArguments(call, reader);
  return {
    outcome,
    endedMs,
    arguments_sha256: args === undefined || call.isRequestUnparsed ? null : hash(args),
    result_sha256: hashed === undefined ? null : hash(stringifyCompact(hashed)),
    blocks: result === undefined ? noBlocks : countBlocks(result),
  };
}

function draftUncounted(call: Call, closing: Closing, reader: Reader, deps: CallDraftDeps): Draft {
  const tokens = makeZeroTokens();
  const { confidence } = reader.estimator;
  const counted = { tokens, overhead: null, confidence, isEstimatedByLength: false };
  const digest = digestCall(call, closing, reader, deps);
  return {
    bill: emptyBill,
    finish: (common) => makeRecord(call, digest, counted, { common, reader, deps }),
  };
}

type Counted = {
  readonly tokens: CallTokens;
  readonly overhead: Overhead | null;
  readonly shape?: DataShape | undefined;
  readonly confidence: Confidence;
  readonly isEstimatedByLength: boolean;
  readonly isScripted?: boolean | undefined;
  readonly savedTokens?: number | undefined;
};

type RecordContext = {
  readonly common: CommonMembers;
  readonly reader: Reader;
  readonly deps: CallDraftDeps;
};

function makeRecord(
  call: Call,
  digest: Digest,
  counted: Counted,
  context: RecordContext,
): MeterRecord {
  const sizes = measureSizes(
    call,
    digest,
    counted.tokens,
    call.truncated || counted.isEstimatedByLength,
  );
  if (call.isForApp) {
    const { tool } = call.request;
    const toolMember = tool === null ? {} : { tool };
    return { ...context.common, type: "protocol", ...sizes, reader: "view", ...toolMember };
  }
  if (!call.request.isCall) return { ...context.common, type: "protocol", ...sizes };
  return makeCallRecord({ call, digest, counted, sizes }, context);
}

type RecordParts = {
  readonly call: Call;
  readonly digest: Digest;
  readonly counted: Counted;
  readonly sizes: ExchangeMembers;
};

// Names each member of `sizes`, because every further spread makes this slower.
function makeCallRecord(
  { call, digest, counted, sizes }: RecordParts,
  { common, reader, deps }: RecordContext,
): CallRecord {
  const { tokens, confidence, isScripted, savedTokens } = counted;
  const { truncated } = sizes;
  return {
    ...common,
    type: "call",
    tool: call.request.tool,
    method: sizes.method,
    request_id: sizes.request_id,
    outcome: sizes.outcome,
    input_tokens: sizes.input_tokens,
    output_tokens: sizes.output_tokens,
    total_tokens: sizes.total_tokens,
    input_bytes: sizes.input_bytes,
    output_bytes: sizes.output_bytes,
    duration_ms: sizes.duration_ms,
    truncated,
    messages: call.messages,
    wire_tokens: tokens.wire,
    visible_tokens: tokens.visible,
    ...describeReading(tokens, isScripted === true, savedTokens),
    duplicate_tokens: tokens.duplicate,
    arguments_sha256: digest.arguments_sha256,
    result_sha256: digest.result_sha256,
    ...makeClientKeys(call.request.caller, deps.hash),
    blocks: digest.blocks,
    ...(counted.shape && { shape: counted.shape }),
    overhead: counted.overhead,
    risk: classifyRisk(sizes.total_tokens, deps.risk),
    is_estimated: truncated || confidence !== "high",
    estimation_method: reader.estimator.method,
    estimation_encoding: reader.estimator.encoding,
    confidence: truncated ? "low" : confidence,
  };
}

// If it is uncertain what the model reads, adds an upper bound or `visible: "unknown"`.
function describeReading(
  tokens: CallTokens,
  isScripted: boolean,
  savedTokens: number | undefined,
): Pick<CallRecord, "most_tokens" | "visible" | "saved_tokens"> | undefined {
  const mayBeMore = tokens.most > tokens.visible;
  if (!mayBeMore && !isScripted && savedTokens === undefined) return undefined;
  return {
    ...(mayBeMore ? { most_tokens: tokens.input + tokens.most } : {}),
    ...(isScripted ? { visible: "unknown" } : {}),
    ...(savedTokens === undefined ? {} : { saved_tokens: savedTokens }),
  };
}

// Four bytes per token: the only estimate for an unparsed line.
function chargeByLength(call: Call, closing: Closing, tokens: CallTokens): void {
  if (call.isRequestUnparsed) tokens.input = estimateByLength(call.inputBytes);
  if (closing.result !== undefined || closing.error !== undefined) return;
  const output = estimateByLength(call.outputBytes);
  tokens.wire = output;
  // If we refuse a message without sending a result or an error, the model reads nothing.
  if (closing.outcome !== "refused") Object.assign(tokens, { visible: output, most: output });
}

function measureSizes(
  call: Call,
  { outcome, endedMs }: Digest,
  tokens: CallTokens,
  truncated: boolean,
): ExchangeMembers {
  return {
    method: call.recordedMethod,
    request_id: call.recordedId,
    outcome,
    input_tokens: tokens.input,
    output_tokens: tokens.visible,
    total_tokens: tokens.input + tokens.visible,
    input_bytes: call.inputBytes,
    output_bytes: call.outputBytes,
    duration_ms: Math.max(0, Math.round((endedMs - call.startedMs) * 1000) / 1000),
    truncated,
  };
}

class DeferredDraft implements Draft {
  readonly isDeferred = true;
  readonly #counts: DeferredCounts;
  // This closure keeps the call's messages in memory, so it is dropped once `#draft` exists.
  #begin: (() => Draft | undefined) | undefined;
  #draft: Draft | undefined;

  constructor(counts: DeferredCounts, begin: () => Draft | undefined) {
    this.#counts = counts;
    this.#begin = begin;
  }

  get bill(): Countable {
    const current = (): Countable => this.#draft?.bill ?? this.#counts.bill;
    return {
      get charactersLeft() {
        return current().charactersLeft;
      },
      advance: (workMax) => {
        const done = current().advance(workMax);
        this.#tryToBegin();
        return done;
      },
      settleByLength: () => {
        const wasWaiting = !this.#draft;
        while (!this.#draft) {
          this.#counts.bill.settleByLength();
          this.#tryToBegin();
        }
        return this.#draft.bill.settleByLength() || wasWaiting;
      },
    };
  }

  get shown(): Shown | undefined {
    return this.#draft?.shown;
  }

  finish(common: CommonMembers, isEstimatedByLength: boolean): MeterRecord {
    if (!this.#draft) throw new Error("The draft of a call was finished before it began");
    return this.#draft.finish(common, isEstimatedByLength);
  }

  #tryToBegin(): void {
    if (this.#counts.isWaiting || !this.#begin) return;
    this.#draft = this.#begin();
    if (this.#draft) this.#begin = undefined;
  }
}
