import {
  describeAnswer,
  type Arrival,
  type Call,
  type Closed,
  type Unreadable,
} from "../calls/call.ts";
import { recordBudgetBreach, type Shortage } from "./breaches.ts";
import {
  findLargestLimit,
  type Account,
  askForAnswer,
  type Claim,
  gatesAnswers,
  type Grant,
  computeRoom,
  spend,
  spendAnyway,
  refundUnreadable,
  spendUnreadable,
  noCost,
} from "./accounts.ts";
import {
  flawBytesPerByte,
  isBlock,
  isValidResult,
} from "#tokens/cost/client-profiles/rejections.ts";
import type { Part } from "#tokens/cost/client-profiles/block.ts";
import {
  countParts,
  boundCeiling,
  type Ceiling,
  countCeiling,
  countCeilingCharacters,
} from "#tokens/cost/count-parts.ts";
import {
  countResultCeiling,
  pickCeiling,
  type RequestFacts,
  makeAnswerContext,
} from "#tokens/cost/visibility.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { RepeatNote } from "./repeats.ts";
import type { RecordBody } from "#records/record.ts";
import { nameCharactersMax, lineObservedBytesMax } from "#kit/limits.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { isObject, readMember, readString } from "#wire/json.ts";
import {
  type SaveAnswer,
  pendingDecision,
  type DecisionContext,
  type Decision,
  forward,
  type TokenCount,
  unsettled,
} from "./decision.ts";
import {
  readingBytesBase,
  readingBytesPerByte,
} from "#tokens/cost/client-profiles/unknown-readings.ts";
import { boundTokens, pickTokensMax, exactCountCharactersMax } from "./request-decision.ts";

// Counting this many tokens takes 30 ms, during which other clients wait.
const quickCountTokensMax = 128 * 1024;

export function boundClosedTokens(closed: Omit<Closed, "kind">, reader: Reader): number {
  return boundAnswerTokens(measureAnswer(closed, reader), reader);
}

export function decideAnswer(
  closed: Closed,
  grant: Grant,
  context: DecisionContext,
  saveAnswer: SaveAnswer,
): Decision {
  const { answer } = closed;
  if (!answer) return forward;
  const { nowMs, isSettled } = context;
  if (isOnlyText(closed.closing) && tryToPassByLength(grant, answer.arrival, context)) {
    return forward;
  }
  const counting = makeCounting(closed, grant, context);
  if (!counting) return pendingDecision;
  grant.mostTokens = grant.inputTokens + counting.mostTokens;
  if (answer.arrival.hasPassed) {
    for (const claim of grant.claims) spendAnyway(claim, grant.mostTokens, nowMs);
    return forward;
  }
  if (askForAnswer(grant.claims, grant.mostTokens, context)) return pendingDecision;
  // The answer cannot cost more than `mostTokens`, so it may pass before it is counted.
  if (grant.claims.every((claim) => spend(claim, grant.mostTokens, nowMs))) return forward;
  if (!isSettled) return unsettled;
  return reduceToFit(closed, grant, counting.count(), { ...context, saveAnswer });
}

export function replaceByNote({ result }: RepeatNote): Decision {
  return { kind: "replace", result, records: [] };
}

/** Undefined if the note does not fit. The answer is longer, so it will not fit either. */
export function decideNote(
  note: RepeatNote,
  grant: Grant,
  context: DecisionContext,
): Decision | undefined {
  const { nowMs, wasDecidedBefore } = context;
  const most = grant.inputTokens + note.tokens;
  // Only the first decision asks a slow counter for room for the note.
  if (!wasDecidedBefore && askForAnswer(grant.claims, most, context)) return pendingDecision;
  if (!grant.claims.every((claim) => spend(claim, most, nowMs))) return undefined;
  grant.mostTokens = most;
  return replaceByNote(note);
}

type Counting = { readonly mostTokens: number; readonly count: () => TokenCount };

// Undefined while the answer waits to be counted.
function makeCounting(
  closed: Closed,
  grant: Grant,
  context: DecisionContext,
): Counting | undefined {
  const count = countLongAnswer(closed, grant, context);
  if (count) {
    return count === "later" ? undefined : { mostTokens: count.tokens, count: () => count };
  }
  const { reader } = context;
  const answer = measureAnswer(closed, reader);
  const limit = findLargestLimit(grant.claims.map(({ account }) => account));
  return {
    mostTokens: boundAnswerTokens(answer, reader),
    count: () => countAnswerTokens(answer, limit, reader),
  };
}

// Undefined for a short, unparsed or already delivered answer, and for any answer to a known client. If a quick count
// shows that the answer exceeds a budget, returns that count. Otherwise `requestUpperBound` (set only over HTTP) counts
// in slices. Until all slices are counted, returns "later". Without `requestUpperBound`, returns undefined.
function countLongAnswer(
  closed: Closed,
  grant: Grant,
  context: DecisionContext,
): TokenCount | "later" | undefined {
  const { call, closing, answer } = closed;
  const { reader, requestUpperBound, wasDecidedBefore } = context;
  const isShort = !answer || answer.arrival.line.size <= exactCountCharactersMax;
  if (isShort || answer.arrival.hasPassed || !reader.profile.isUnknown || !wasParsed(closing))
    return undefined;
  const visibility = describeAnswer(call.method, closing, makeAnswerContext(reader, call.request));
  const over = wasDecidedBefore ? undefined : countIfOver(visibility.visible, grant, context);
  if (over || !requestUpperBound) return over;
  const tokens = requestUpperBound(closed, () => pickCeiling(visibility));
  return tokens === undefined ? "later" : { tokens, precision: "at most" };
}

function countIfOver(
  visible: readonly Part[],
  { claims, inputTokens }: Grant,
  { reader, nowMs }: DecisionContext,
): TokenCount | undefined {
  if (hasSlowCounter(claims)) return undefined;
  const gating = claims.filter(({ account }) => gatesAnswers(account));
  const enough = Math.max(
    0,
    Math.min(...gating.map((claim) => computeRoom(claim, nowMs))) - inputTokens,
  );
  if (enough > quickCountTokensMax) return undefined;
  const tokens = countParts(visible, reader, enough);
  return tokens > enough ? { tokens, precision: "at least" } : undefined;
}

// Counting for an unknown client takes long, but the length of the line may prove that the answer fits.
function tryToPassByLength(
  grant: Grant,
  { line, hasPassed }: Arrival,
  { reader, nowMs }: DecisionContext,
): boolean {
  if (!reader.profile.isUnknown || hasPassed || hasSlowCounter(grant.claims)) return false;
  const most = grant.inputTokens + boundTokensOfLongestReading(line.size, reader);
  if (!grant.claims.every((claim) => spend(claim, most, nowMs))) return false;
  grant.mostTokens = most;
  return true;
}

function hasSlowCounter(claims: readonly Claim[]): boolean {
  return claims.some(({ account }) => account.stored?.store.mustWaitFor !== undefined);
}

// False for errors and for blocks other than texts: they may cost more tokens than their length suggests.
function isOnlyText({ result, error }: Closed["closing"]): boolean {
  const content = readMember(result, "content");
  if (error !== undefined || !isObject(result) || !isValidResult(result)) return false;
  return Array.isArray(content) && content.every(isText);
}

function isText(block: unknown): boolean {
  return readString(block, "type") === "text" && isBlock(block);
}

type ReductionContext = DecisionContext & { readonly saveAnswer: SaveAnswer };

function reduceToFit(
  { call, closing }: Closed,
  grant: Grant,
  counted: TokenCount,
  context: ReductionContext,
): Decision {
  const { reader, nowMs } = context;
  // If a message has both a result and an error, some clients read the error, so the result is not shortened.
  const isResult = call.method === "tools/call" && closing.error === undefined;
  const original = isResult ? closing.result : undefined;
  const records: RecordBody[] = [];
  let result = original;
  let { tokens } = counted;
  for (const claim of grant.claims) {
    if (spend(claim, grant.inputTokens + tokens, nowMs)) continue;
    claim.isBreached = true;
    // The cost is the size of the server's answer, even if an earlier budget has shortened the answer.
    const excess = describeExcess(call, counted, claim, grant.inputTokens + counted.tokens);
    const { record, facts } = recordBudgetBreach(claim.account, excess, nowMs);
    records.push(record);
    const reduced = reduce(claim, { result, request: call.request }, grant, context);
    if (reduced) ({ result, tokens } = reduced);
    if (!reduced || !spend(claim, grant.inputTokens + tokens, nowMs)) {
      const isUnknownClient = reader.profile.isUnknown;
      return { kind: "refuse", facts: { ...facts, isUnknownClient }, records };
    }
  }
  if (result === original) return { kind: "forward", records };
  for (const claim of grant.claims) spend(claim, grant.inputTokens + tokens, nowMs);
  return { kind: "replace", result, records };
}

function reduce(
  claim: Claim,
  { result, request }: { readonly result: unknown; readonly request: RequestFacts },
  grant: Grant,
  { reader, nowMs, saveAnswer }: ReductionContext,
): { readonly result: unknown; readonly tokens: number } | undefined {
  const { action, budget } = claim.account;
  const room = computeRoom(claim, nowMs) - grant.inputTokens;
  const spec = makeSafeName(budget.spec, nameCharactersMax);
  const reduced = action.handleExcess({ result, request, room, spec, reader, saveAnswer });
  if (reduced.kind !== "replace") return undefined;
  const tokens = countResultCeiling(reduced.result, reader, request);
  return { result: reduced.result, tokens };
}

function describeExcess(
  call: Call,
  count: TokenCount,
  { hold, cost }: Claim,
  tokens: number,
): Shortage {
  const { tool } = call.request;
  const reason = "answer_over_budget";
  const ownHold = hold?.amount ?? 0;
  return { call, tool, reason, ...count, tokens, cost, didRun: true, isEnforced: true, ownHold };
}

function measureAnswer(
  { call, closing, answer }: Omit<Closed, "kind">,
  reader: Reader,
): MeasuredAnswer {
  const bytes = answer?.arrival.line.size ?? 0;
  const visibility = describeAnswer(call.method, closing, makeAnswerContext(reader, call.request));
  const isUpperBound = visibility.ceiling !== undefined || visibility.isScripted === true;
  if (wasParsed(closing)) return { ceiling: pickCeiling(visibility), isUpperBound, bytes };
  // An unknown client may reject the answer, and show its model an error that is far longer.
  const mayShowErrors = reader.profile.isUnknown && bytes <= lineObservedBytesMax;
  const shownBytes = mayShowErrors ? bytes * flawBytesPerByte : bytes;
  return { ceiling: undefined, isUpperBound, bytes: shownBytes };
}

// An error that was not parsed has no members.
function wasParsed({ result, error }: Closed["closing"]): boolean {
  return result !== undefined || (isObject(error) && Object.keys(error).length > 0);
}

export type MeasuredAnswer = {
  readonly ceiling: Ceiling | undefined; // all that the model may read; undefined if not parsed
  readonly isUpperBound: boolean; // the model may read less
  readonly bytes: number;
};

type AnswerSize = Pick<MeasuredAnswer, "bytes" | "ceiling">;

/** Prefers parsed texts, because the line may be shorter than the text shown: clients write 1e20 with 21 digits. */
export function boundAnswerTokens({ bytes, ceiling }: AnswerSize, reader: Reader): number {
  if (ceiling) return boundCeiling(ceiling, reader);
  return reader.profile.isUnknown
    ? boundTokensOfLongestReading(bytes, reader)
    : boundTokens(bytes, reader);
}

export function countAnswerTokens(
  answer: MeasuredAnswer,
  limit: number,
  reader: Reader,
): TokenCount {
  const { ceiling, isUpperBound } = answer;
  const bound = (): TokenCount => ({
    tokens: boundAnswerTokens(answer, reader),
    precision: "at most",
  });
  if (!ceiling) return bound();
  const enough = pickTokensMax(countCeilingCharacters(ceiling), limit);
  const tokens = countCeiling(ceiling, reader, enough);
  if (!isUpperBound) return { tokens, precision: tokens > enough ? "at least" : "exactly" };
  return tokens > enough ? bound() : { tokens, precision: "at most" };
}

function boundTokensOfLongestReading(bytes: number, { estimator }: Reader): number {
  const mostBytes = bytes * readingBytesPerByte + readingBytesBase;
  return Math.ceil(mostBytes * estimator.tokensPerTextByteMax);
}

export type AwaitedGrant = readonly [grant: Grant, call: Call];

type AwaitedClaim = { readonly claim: Claim; readonly call: Call };

/** The line may answer any open call, so all are charged for its length, and stay open. */
export function decideUnreadable(
  { arrival: { line, hasPassed } }: Unreadable,
  awaited: readonly AwaitedGrant[],
  context: DecisionContext,
): Decision {
  const { reader, nowMs, isSettled } = context;
  const tokens = boundAnswerTokens({ bytes: line.size, ceiling: undefined }, reader);
  const claims = listAwaitedClaims(awaited);
  const reservations = claims.map(({ claim: { account, hold } }) => ({
    account,
    cost: noCost,
    hold,
    extraAmount: hold?.amount ?? 0,
  }));
  if (askForAnswer(reservations, tokens, context)) return pendingDecision;
  const charged: Claim[] = [];
  for (const { claim, call } of claims) {
    if (spendUnreadable(claim, tokens, { nowMs, isForced: hasPassed })) {
      charged.push(claim);
      continue;
    }
    for (const paid of charged) refundUnreadable(paid, tokens, nowMs);
    if (!isSettled) return unsettled;
    claim.isBreached = true;
    return withholdUnreadable(claim, call, tokens, nowMs);
  }
  return forward;
}

// A counter shared by several calls is charged once; a limit per call is checked for each call.
function listAwaitedClaims(awaited: readonly AwaitedGrant[]): readonly AwaitedClaim[] {
  const counted = new Set<Account>();
  return awaited.flatMap(([grant, call]) =>
    grant.claims.flatMap((claim): AwaitedClaim[] => {
      const { account } = claim;
      if (!gatesAnswers(account) || counted.has(account)) return [];
      if (account.stored) counted.add(account);
      return [{ claim, call }];
    }),
  );
}

function withholdUnreadable(
  { account, cost }: Claim,
  call: Call,
  tokens: number,
  nowMs: number,
): Decision {
  const { tool } = call.request;
  const count = { tokens, precision: "at most" } as const;
  const reason = "answer_over_budget";
  const shortage = { call, tool, ...count, cost, reason, didRun: true, isEnforced: true } as const;
  const { record, facts } = recordBudgetBreach(account, shortage, nowMs);
  return { kind: "refuse", facts, records: [record] };
}
