import { nameCharactersMax } from "#kit/limits.ts";
import { nameAt, type Place } from "../calls/arrival.ts";
import type { Call } from "../calls/call.ts";
import type { LockVerdict } from "#lock/lock-watch.ts";
import type { RecordBody } from "#records/record.ts";
import type { Account } from "./accounts.ts";
import type { Budget } from "./budget.ts";
import {
  breachOf,
  breachOfConfig,
  breachOfLock,
  breachOfRepeats,
  refillOf,
  type Shortage,
} from "./breach.ts";
import type { RefusalReason } from "./refusal-text.ts";
import { fitsAsKnown, type Grant, newGrant, release, reserve } from "./claim.ts";
import { type Context, type Decision, forward, type Price, unsettled } from "./decision.ts";

export type WeighedRequest = {
  readonly call: Call;
  /** Null where there is no tool, or its name could not be read. */
  readonly tool: string | null;
  readonly price: Price;
  readonly hasPassed: boolean;
};

export type RequestDecision = { readonly decision: Decision; readonly grant: Grant | undefined };

export function toolNamed(call: Call, place: Place): string | null {
  if (!call.truncated || call.asked.tool === null) return call.asked.tool;
  return nameAt(place)?.slice(0, nameCharactersMax) ?? null;
}

const lockReasons: { readonly [verdict in LockVerdict]: RefusalReason | undefined } = {
  same: undefined,
  changed: "definition_changed",
  "not locked": "tool_not_locked",
  "not seen": "definition_not_seen",
};

export type RuleFacts = {
  readonly verdict?: LockVerdict | undefined;
  readonly times?: number | undefined;
  readonly isClosed?: boolean | undefined;
};

/** The rules that need no counter: a limit that may be missing, a tool that is not as the lock has it, and too many identical calls in a row. */
export function applyRules(
  request: WeighedRequest,
  { verdict, times, isClosed = false }: RuleFacts,
): Decision {
  const { call, tool, price, hasPassed } = request;
  const shortage = { call, tool, ...price, didRun: false, isEnforced: !hasPassed };
  const reason = verdict && lockReasons[verdict];
  const breaches = [
    ...(isClosed ? [breachOfConfig({ ...shortage, reason: "config_mistaken" })] : []),
    ...(reason ? [breachOfLock({ ...shortage, reason })] : []),
    ...(times === undefined
      ? []
      : [breachOfRepeats(times, { ...shortage, reason: "repeated_call" })]),
  ];
  const [first] = breaches;
  if (!first) return forward;
  if (!hasPassed) return { kind: "refuse", facts: first.facts, records: [first.record] };
  return { kind: "forward", records: breaches.map(({ record }) => record) };
}

/** Reserves the request in all accounts, or in none. `ruled` are records of earlier rules. */
export function reserveAll(
  accounts: readonly Account[],
  request: WeighedRequest,
  context: Context,
  ruled: readonly RecordBody[],
): RequestDecision {
  const grant = newGrant(request.price.tokens);
  const records = [...ruled];
  for (const account of accounts) {
    const decision = reserveIn(grant, account, request, context);
    records.push(...decision.records);
    if (decision.kind === "forward") continue;
    release(grant);
    return { decision: { ...decision, records }, grant: undefined };
  }
  return { decision: records.length === 0 ? forward : { kind: "forward", records }, grant };
}

function reserveIn(
  grant: Grant,
  account: Account,
  request: WeighedRequest,
  { nowMs, isSettled, mayHoldMs }: Context,
): Decision {
  const { hasPassed, price } = request;
  const { waits, isEnforcing } = account.action;
  // Nothing was asked for a request that passes in any case.
  const isKnown = (hasPassed || !isEnforcing) && fitsAsKnown(account, grant, nowMs);
  if (reserve(grant, account, nowMs, isKnown)) return forward;
  if (!isSettled) return unsettled;
  const untilMs = refillOf(account, nowMs);
  const reason = reasonFor(account.budget, price);
  if (waits && !hasPassed && reason === "budget_spent" && untilMs - nowMs <= mayHoldMs) {
    return { kind: "hold", untilMs, records: [] };
  }
  const isEnforced = isEnforcing && !hasPassed;
  const shortage = shortageOf(request, reason, isEnforced);
  const { record, facts } = breachOf(account, shortage, nowMs);
  if (isEnforced) return { kind: "refuse", facts, records: [record] };
  const claim = reserve(grant, account, nowMs, true);
  if (claim) claim.isBreached = true;
  return { kind: "forward", records: [record] };
}

/** Why a request does not fit; a request that is not too large itself fits once the counter refills. */
function reasonFor({ limit, unit }: Budget, { tokens }: Price): Shortage["reason"] {
  if (limit === 0) return "tool_forbidden";
  return unit === "tokens" && tokens > limit ? "arguments_over_budget" : "budget_spent";
}

function shortageOf(
  { call, tool, price }: WeighedRequest,
  reason: Shortage["reason"],
  isEnforced: boolean,
): Shortage {
  return { call, tool, ...price, reason, didRun: false, isEnforced };
}
