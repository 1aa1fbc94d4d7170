import {
  type Account,
  fitsLastKnownAmounts,
  gatesAnswers,
  type Grant,
  makeGrant,
  release,
  reserve,
  toAmount,
  type CallCost,
} from "./accounts.ts";
import { setBounded, nameCharactersMax } from "#kit/limits.ts";
import { toolRowsMax } from "#records/tool-rows.ts";
import { readName, type Position, type Call } from "../calls/call.ts";
import type { LockVerdict } from "#lock/lock-guard.ts";
import { hideRule, type RecordBody } from "#records/record.ts";
import {
  type RefusalReason,
  type DecisionContext,
  type Decision,
  forward,
  type TokenCount,
  unsettled,
} from "./decision.ts";
import {
  type Shortage,
  recordBudgetBreach,
  recordRuleBreach,
  computeNextRefill,
} from "./breaches.ts";
import { listInputTexts } from "#tokens/cost/describe-calls.ts";
import { countParts, countTexts } from "#tokens/cost/count-parts.ts";
import type { Reader } from "#tokens/cost/reader.ts";

export const exactCountCharactersMax = 256 * 1024;

type CountedRequest = {
  readonly call: Call;
  readonly tool: string | null;
  readonly count: TokenCount;
  readonly toolPrice?: number;
  readonly hasPassed: boolean;
  readonly usualTokens?: number | undefined;
};

type RequestDecision = { readonly decision: Decision; readonly grant: Grant | undefined };

export function readToolName(call: Call, position: Position): string | null {
  if (!call.truncated || call.request.tool === null) return call.request.tool;
  return readName(position)?.slice(0, nameCharactersMax) ?? null;
}

export function countRequestTokens(call: Call, limit: number, reader: Reader): TokenCount {
  if (call.truncated) return { tokens: boundTokens(call.inputBytes, reader), precision: "at most" };
  const { media = [] } = call.request;
  const input = listInputTexts(call.request, reader.estimator);
  const characters = input.reduce((sum, text) => sum + text.length, 0);
  const tokensMax = pickTokensMax(characters, limit);
  const tokens = countTexts(input, reader, tokensMax) + countParts(media, reader);
  return { tokens, precision: tokens > tokensMax ? "at least" : "exactly" };
}

export function boundTokens(bytes: number, { estimator }: Reader): number {
  return Math.ceil(bytes * estimator.tokensPerLineByteMax);
}

export function pickTokensMax(characters: number, limit: number): number {
  return characters <= exactCountCharactersMax ? Infinity : limit;
}

const lockReasons: { readonly [verdict in LockVerdict]: RefusalReason | undefined } = {
  same: undefined,
  changed: "definition_changed",
  "not locked": "tool_not_locked",
  "not seen": "definition_not_seen",
};

export type RuleFacts = {
  readonly lockVerdict?: LockVerdict | undefined;
  readonly repeatsMax?: number | undefined; // the limit of `--max-repeats`; set only if this call exceeds the limit
  readonly isClosed?: boolean | undefined;
  readonly isHidden?: boolean;
};

// Refuses a call that breaks a rule. With `--on-fault closed` and a mistake in a config (`isClosed`), refuses every
// call. If the call was already forwarded (`hasPassed`), only records the breaches.
export function applyRules(
  request: CountedRequest,
  { lockVerdict, repeatsMax, isClosed = false, isHidden = false }: RuleFacts,
): Decision {
  const { call, tool, count, hasPassed } = request;
  const shortage = { call, tool, ...count, didRun: false, isEnforced: !hasPassed };
  const reason = lockVerdict && lockReasons[lockVerdict];
  const breaches = [
    ...(isHidden ? [recordRuleBreach(hideRule, 0, { ...shortage, reason: "tool_hidden" })] : []),
    ...(isClosed
      ? [recordRuleBreach("on-fault closed", 0, { ...shortage, reason: "config_invalid" })]
      : []),
    ...(reason ? [recordRuleBreach("lock", 0, { ...shortage, reason })] : []),
    ...(repeatsMax === undefined
      ? []
      : [
          recordRuleBreach(`max-repeats ${repeatsMax}`, repeatsMax, {
            ...shortage,
            reason: "repeated_call",
          }),
        ]),
  ];
  const [breach] = breaches;
  if (!breach) return forward;
  if (!hasPassed) return { kind: "refuse", facts: breach.facts, records: [breach.record] };
  return { kind: "forward", records: breaches.map(({ record }) => record) };
}

/** Reserves in all accounts or in none. `ruleRecords` come from `applyRules`. */
export function reserveAll(
  accounts: readonly Account[],
  request: CountedRequest,
  context: DecisionContext,
  ruleRecords: readonly RecordBody[],
): RequestDecision {
  const grant = makeGrant(request.count.tokens, request.toolPrice);
  const records = [...ruleRecords];
  for (const account of accounts) {
    const decision = reserveInAccount(grant, account, request, context);
    records.push(...decision.records);
    if (decision.kind === "forward") continue;
    release(grant);
    return { decision: { ...decision, records }, grant: undefined };
  }
  return { decision: records.length === 0 ? forward : { kind: "forward", records }, grant };
}

function reserveInAccount(
  grant: Grant,
  account: Account,
  request: CountedRequest,
  { nowMs, isSettled, holdMaxMs }: DecisionContext,
): Decision {
  const { call, tool, hasPassed, count } = request;
  const { waits, isEnforcing } = account.action;
  const usualTokens = findUsualTokensIfWithheld(account, grant, request, nowMs);
  if (usualTokens === undefined && tryToReserve(grant, account, hasPassed, nowMs)) return forward;
  if (!isSettled) return unsettled;
  const untilMs = computeNextRefill(account, nowMs);
  const reason = pickReason(account, grant);
  if (waits && !hasPassed && reason === "budget_spent" && untilMs - nowMs <= holdMaxMs) {
    return { kind: "hold", untilMs, records: [] };
  }
  const isEnforced = isEnforcing && !hasPassed;
  // If the action never refuses, the call is checked later, when its answer has been counted.
  if (!isEnforcing) {
    reserve(grant, account, nowMs, true);
    return forward;
  }
  const outcome = { reason, didRun: false, isEnforced, usualTokens };
  const shortage = { call, tool, ...count, cost: grant, ...outcome };
  const { record, facts } = recordBudgetBreach(account, shortage, nowMs);
  if (isEnforced) return { kind: "refuse", facts, records: [record] };
  const claim = reserve(grant, account, nowMs, true);
  if (claim) claim.isBreached = true;
  return { kind: "forward", records: [record] };
}

// If a request passes in any case and fits the last known amounts, a slow counter is not queried.
function tryToReserve(grant: Grant, account: Account, hasPassed: boolean, nowMs: number): boolean {
  const passesAnyway = hasPassed || !account.action.isEnforcing;
  const isKnownToFit = passesAnyway && fitsLastKnownAmounts(account, grant, nowMs);
  return reserve(grant, account, nowMs, isKnownToFit) !== undefined;
}

// Returns `usualTokens` if the usual answer would be withheld now, but would fit an empty counter. A usual answer that
// would not fit even an empty counter is ignored, because the model may have narrowed this call.
function findUsualTokensIfWithheld(
  account: Account,
  cost: CallCost,
  { hasPassed, usualTokens }: CountedRequest,
  nowMs: number,
): number | undefined {
  const { budget, action, stored } = account;
  const isWithheld = gatesAnswers(account) && !action.reduces;
  if (usualTokens === undefined || hasPassed || !stored || !isWithheld) return undefined;
  const { store, counter } = stored;
  const known = store.recallStanding?.(counter, nowMs) ?? store.readStanding(counter, nowMs);
  const usual = toAmount(account, Math.max(usualTokens, cost.inputTokens), cost);
  const room = budget.limit - known.taken;
  if (room >= usual || usual > budget.limit) return undefined;
  // A store that is unreachable may grant all amounts.
  const hold = store.hold(counter, usual, nowMs, false);
  if (hold) store.release(hold);
  return hold ? undefined : usualTokens;
}

const usualCallsMin = 3;

const usualCallsMax = 9;

/** Finds the median tokens of a tool's last calls, if at least `usualCallsMin` are known. Includes withheld answers. */
export class UsualSizes {
  readonly #lastByTool = new Map<string, readonly number[]>();

  find(tool: string | null): number | undefined {
    const last = tool === null ? undefined : this.#lastByTool.get(tool);
    if (!last || last.length < usualCallsMin) return undefined;
    return last.toSorted((a, b) => a - b)[Math.floor((last.length - 1) / 2)];
  }

  add(tool: string | null, tokens: number): void {
    if (tool === null) return;
    const last = this.#lastByTool.get(tool) ?? [];
    setBounded(this.#lastByTool, tool, [...last, tokens].slice(-usualCallsMax), toolRowsMax);
  }
}

// A request that alone exceeds the limit never fits, even after the counter refills.
function pickReason(account: Account, cost: CallCost): Shortage["reason"] {
  const { limit } = account.budget;
  if (limit === 0) return "tool_forbidden";
  return toAmount(account, cost.inputTokens, cost) > limit
    ? "arguments_over_budget"
    : "budget_spent";
}
