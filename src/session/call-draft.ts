import { tokensByLength } from "#cost/tokens-by-length.ts";
import { visibilityOfAnswer } from "#calls/answer-visibility.ts";
import type { Call } from "#calls/call.ts";
import { comparedArguments } from "#calls/compared-arguments.ts";
import type { Closing } from "#calls/outcome.ts";
import { Bill } from "#cost/bill.ts";
import { answerConfidence } from "#cost/reader-estimation.ts";
import { emptyBill, inTurn } from "#cost/countable.ts";
import type { Confidence } from "#cost/estimation.ts";
import { countBlocks, noBlocks } from "#cost/block-counts.ts";
import type { Overhead } from "#cost/overhead/overhead.ts";
import { draftOverhead } from "#cost/overhead/overhead-draft.ts";
import type { Reader } from "#cost/reader.ts";
import { classifyRisk, type RiskThresholds } from "#cost/risk.ts";
import type { CallRecord, Common, ProtocolRecord, RecordBody } from "#records/record.ts";
import { holdsOwnText, type Visibility } from "#cost/visibility.ts";
import { compactJson } from "#wire/json.ts";
import {
  type CallTokens,
  chargeEmptyList,
  chargeInput,
  chargeParts,
  lower,
  noTokens,
} from "./charge.ts";
import { clientKeys } from "./client-keys.ts";
import type { Draft, Shown } from "./draft.ts";
import { LateDraft } from "./late-draft.ts";
import { PatientCounts } from "./patient-counts.ts";

/** The settings of drafts. */
export type CallDraftDeps = {
  readonly risk: RiskThresholds;
  /** SHA-256 of a text, hexadecimal. */
  readonly hash: (text: string) => string;
};

/** For a request that could not be parsed: it is charged by its length. */
const noInput = { tool: null, input: [] };

const noHashes = { arguments_sha256: null, result_sha256: null } as const;

/**
 * Begins the record of a call that is over. Where the tokens of a long text decide about the parts that a client shows,
 * they are counted first, in slices like all others.
 */
export function draftCall(
  call: Call,
  closing: Closing,
  reader: Reader,
  deps: CallDraftDeps,
): Draft {
  // Its client drops the answer.
  if (closing.outcome === "cancelled") return draftUnpaid(call, closing, reader, deps);
  const counts = new PatientCounts(reader.estimator);
  const patient = { ...asNow(reader, call), estimator: counts.estimator };
  const begin = (): Draft | undefined => {
    const answers = {
      given: visibilityOfAnswer(call, closing, patient),
      replaced: closing.replaced && visibilityOfAnswer(call, closing.replaced, patient),
    };
    if (counts.isWaiting) return undefined;
    const bill = new Bill(counts.remembering(reader.estimator));
    return draftAnswers({ call, closing, answers, bill }, reader, deps);
  };
  return begin() ?? new LateDraft(counts, begin);
}

/** The reader as it is now: a list of tools that arrives later does not change how an answer was read. */
function asNow(reader: Reader, { asked }: Call): Reader {
  const tool = asked.tool === null ? undefined : reader.tools?.find(asked.tool);
  return { ...reader, tools: { find: () => tool } };
}

/** A call that is over, and its answers as the client shows them. */
type Answered = {
  readonly call: Call;
  readonly closing: Closing;
  readonly answers: {
    readonly given: Visibility;
    /** Of the server's answer where the client got ours. */
    readonly replaced: Visibility | undefined;
  };
  readonly bill: Bill;
};

function draftAnswers(answered: Answered, reader: Reader, deps: CallDraftDeps): Draft {
  const { call, closing, answers, bill } = answered;
  const tokens = noTokens();
  const asked = call.isUnread ? noInput : call.asked;
  const inputConfidence = chargeInput(asked, reader, { bill, tokens });
  const visibility = answers.given;
  const isRefused = closing.outcome === "refused";
  const isMeasured = call.method === "tools/call" && closing.result !== undefined && !isRefused;
  const overhead = isMeasured ? draftOverhead(visibility, reader.estimator) : undefined;
  const charged = chargeParts(visibility, reader, { bill, tokens, overhead });
  if (closing.result !== undefined) chargeEmptyList(visibility, reader, tokens);
  const confidence = lower(inputConfidence, answerConfidence(charged, reader, visibility));
  const wire = chargeReplaced(answered, reader) ?? tokens;
  if (call.truncated) chargeByLength(call, closing, tokens);
  const digest = digestOf(call, closing, reader, deps);
  return {
    bill: overhead ? inTurn(bill, overhead) : bill,
    shown: isRefused ? undefined : shownOf(visibility, tokens),
    finish: (isUnread) => {
      const counted = {
        tokens: { ...tokens, wire: wire.wire },
        overhead: overhead?.finish() ?? null,
        confidence,
        isUnread,
        isScripted: visibility.isScripted,
      };
      return bodyOf(call, digest, counted, { reader, deps });
    },
  };
}

/** The change that the client makes to the answer, with the tokens of the texts that are too long for it. */
function shownOf({ limited, compared = [], wire }: Visibility, tokens: CallTokens): Shown {
  if (!limited) return { limited };
  const isFramed = holdsOwnText(compared, wire);
  return { limited: { ...limited, isFramed, tokens: () => tokens.compared } };
}

/** Charges the server's answer where the client got ours: it crossed the wire and was not read. */
function chargeReplaced(
  { call, closing: { replaced }, answers, bill }: Answered,
  reader: Reader,
): Pick<CallTokens, "wire"> | undefined {
  const visibility = answers.replaced;
  if (!replaced || !visibility) return undefined;
  const isRead = replaced.result !== undefined || replaced.error !== undefined;
  if (!isRead) return { wire: tokensByLength(call.outputBytes) };
  const tokens = noTokens();
  chargeParts(visibility, reader, { bill, tokens, overhead: undefined });
  if (replaced.result !== undefined) chargeEmptyList(visibility, reader, tokens);
  return tokens;
}

/** The facts of a finished call that do not wait for its tokens: with them its messages are not needed any more. */
type Digest = Pick<Closing, "outcome" | "endedMs"> &
  Pick<CallRecord, "arguments_sha256" | "result_sha256" | "blocks">;

function digestOf(call: Call, closing: Closing, reader: Reader, { hash }: CallDraftDeps): Digest {
  const { outcome, endedMs } = closing;
  // A refusal is ours, not a result of the server.
  const result = outcome === "refused" ? undefined : closing.result;
  if (!call.asked.isPriced) return { outcome, endedMs, ...noHashes, blocks: noBlocks };
  const args = comparedArguments(call, reader);
  return {
    outcome,
    endedMs,
    arguments_sha256: args === undefined || call.isUnread ? null : hash(args),
    result_sha256: result === undefined ? null : hash(compactJson(result)),
    blocks: result === undefined ? noBlocks : countBlocks(result),
  };
}

/** The draft of a cancelled call: there is nothing to count. */
function draftUnpaid(call: Call, closing: Closing, reader: Reader, deps: CallDraftDeps): Draft {
  const tokens = noTokens();
  const { confidence } = reader.estimator;
  const counted = { tokens, overhead: null, confidence, isUnread: false };
  const digest = digestOf(call, closing, reader, deps);
  return { bill: emptyBill, finish: () => bodyOf(call, digest, counted, { reader, deps }) };
}

/** The counted part of a call. */
type Counted = {
  readonly tokens: CallTokens;
  readonly overhead: Overhead | null;
  readonly confidence: Confidence;
  readonly isUnread: boolean;
  readonly isScripted?: boolean | undefined;
};

function bodyOf(
  call: Call,
  digest: Digest,
  { tokens, overhead, confidence, isUnread, isScripted }: Counted,
  { reader, deps }: { readonly reader: Reader; readonly deps: CallDraftDeps },
): RecordBody {
  const truncated = call.truncated || isUnread;
  const sizes = sizesOf(call, digest, tokens, truncated);
  if (!call.asked.isPriced) return { type: "protocol", ...sizes };
  return {
    type: "call",
    tool: call.asked.tool,
    ...sizes,
    messages: call.messages,
    wire_tokens: tokens.wire,
    visible_tokens: tokens.visible,
    ...(tokens.most > tokens.visible ? { most_tokens: tokens.input + tokens.most } : {}),
    ...(isScripted === true ? { visible: "unknown" as const } : {}),
    duplicate_tokens: tokens.duplicate,
    arguments_sha256: digest.arguments_sha256,
    result_sha256: digest.result_sha256,
    ...clientKeys(call.asked.caller, deps.hash),
    blocks: digest.blocks,
    overhead,
    risk: classifyRisk(sizes.total_tokens, deps.risk),
    ...estimationOf(confidence, reader, truncated),
  };
}

/** Four bytes per token: the only estimate for a line that was not parsed. */
function chargeByLength(call: Call, closing: Closing, tokens: CallTokens): void {
  if (call.isUnread) tokens.input = tokensByLength(call.readChunks);
  if (closing.result !== undefined || closing.error !== undefined) return;
  tokens.visible = tokensByLength(call.outputBytes);
  tokens.wire = tokens.visible;
  tokens.most = tokens.visible;
}

type SizesBody = Omit<ProtocolRecord, "type" | keyof Common>;

function sizesOf(
  call: Call,
  { outcome, endedMs }: Digest,
  tokens: CallTokens,
  truncated: boolean,
): SizesBody {
  return {
    method: call.method,
    request_id: call.recordedId,
    outcome,
    input_tokens: tokens.input,
    output_tokens: tokens.visible,
    total_tokens: tokens.input + tokens.visible,
    input_bytes: call.readChunks,
    output_bytes: call.outputBytes,
    duration_ms: Math.max(0, Math.round((endedMs - call.startedMs) * 1000) / 1000),
    truncated,
  };
}

type CallEstimation = Pick<
  CallRecord,
  "is_estimated" | "estimation_method" | "estimation_encoding" | "confidence"
>;

function estimationOf(
  confidence: Confidence,
  { estimator }: Reader,
  truncated: boolean,
): CallEstimation {
  return {
    is_estimated: truncated || confidence !== "high",
    estimation_method: estimator.method,
    estimation_encoding: estimator.encoding,
    confidence: truncated ? "low" : confidence,
  };
}
