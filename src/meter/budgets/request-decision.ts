import { nameCharactersMax } from "#kit/limits.ts";
import { nameAt, type Position, type Call, type Requested } from "../calls/call.ts";
import type { LockVerdict } from "#lock/lock-watch.ts";
import type { RecordBody } from "#records/record.ts";
import { type Account, fitsAsKnown, type Grant, newGrant, release, reserve } from "./claim.ts";
import type { Budget } from "./budget.ts";
import {
  breachBudget,
  breachConfig,
  breachLock,
  breachRepeatLimit,
  nextRefill,
  type Shortage,
} from "./breach.ts";
import {
  type RefusalReason,
  type Context,
  type Decision,
  forward,
  type Price,
  unsettled,
} from "./decision.ts";

type WeighedRequest = {
  readonly call: Call;
  /** Null without a tool, or with an unreadable name. */
  readonly tool: string | null;
  readonly price: Price;
  readonly hasPassed: boolean;
};

type RequestDecision = { readonly decision: Decision; readonly grant: Grant | undefined };

export function readToolName(call: Call, position: Position): string | null {
  if (!call.truncated || call.request.tool === null) return call.request.tool;
  return nameAt(position)?.slice(0, nameCharactersMax) ?? null;
}

const lockReasons: { readonly [verdict in LockVerdict]: RefusalReason | undefined } = {
  same: undefined,
  changed: "definition_changed",
  "not locked": "tool_not_locked",
  "not seen": "definition_not_seen",
};

type RuleFacts = {
  readonly verdict?: LockVerdict | undefined;
  readonly times?: number | undefined;
  readonly isClosed?: boolean | undefined;
};

/**
 * Rules without counters: a possibly missing budget, a tool that differs from the lock, too many
 * identical calls in a row.
 */
export function applyRules(
  request: WeighedRequest,
  { verdict, times, isClosed = false }: RuleFacts,
): Decision {
  const { call, tool, price, hasPassed } = request;
  const shortage = { call, tool, ...price, didRun: false, isEnforced: !hasPassed };
  const reason = verdict && lockReasons[verdict];
  const breaches = [
    ...(isClosed ? [breachConfig({ ...shortage, reason: "config_mistaken" })] : []),
    ...(reason ? [breachLock({ ...shortage, reason })] : []),
    ...(times === undefined
      ? []
      : [breachRepeatLimit(times, { ...shortage, reason: "repeated_call" })]),
  ];
  const [first] = breaches;
  if (!first) return forward;
  if (!hasPassed) return { kind: "refuse", facts: first.facts, records: [first.record] };
  return { kind: "forward", records: breaches.map(({ record }) => record) };
}

/** Reserves in all accounts or in none. `ruled` are records of earlier rules. */
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
  // Counters were not queried for a request that passes in any case.
  const isKnown = (hasPassed || !isEnforcing) && fitsAsKnown(account, grant, nowMs);
  if (reserve(grant, account, nowMs, isKnown)) return forward;
  if (!isSettled) return unsettled;
  const untilMs = nextRefill(account, nowMs);
  const reason = reasonFor(account.budget, price);
  if (waits && !hasPassed && reason === "budget_spent" && untilMs - nowMs <= mayHoldMs) {
    return { kind: "hold", untilMs, records: [] };
  }
  const isEnforced = isEnforcing && !hasPassed;
  const shortage = describeShortage(request, reason, isEnforced);
  const { record, facts } = breachBudget(account, shortage, nowMs);
  if (isEnforced) return { kind: "refuse", facts, records: [record] };
  const claim = reserve(grant, account, nowMs, true);
  if (claim) claim.isBreached = true;
  return { kind: "forward", records: [record] };
}

/** A request that is not too large in itself fits once the counter refills. */
function reasonFor({ limit, unit }: Budget, { tokens }: Price): Shortage["reason"] {
  if (limit === 0) return "tool_forbidden";
  return unit === "tokens" && tokens > limit ? "arguments_over_budget" : "budget_spent";
}

function describeShortage(
  { call, tool, price }: WeighedRequest,
  reason: Shortage["reason"],
  isEnforced: boolean,
): Shortage {
  return { call, tool, ...price, reason, didRun: false, isEnforced };
}

// Clients give up after 60 seconds.
export const throttleWaitMaxMs = 50_000;

export const throttledCallsMax = 1_000;

// Further requests are refused.
export const throttledBytesMax = 16 * 1024 * 1024;

export type HeldRequest = {
  readonly call: Call;
  readonly bytes: Uint8Array;
  /** Monotonic: the wall clock may be set back meanwhile. */
  readonly sinceMs: number;
  /** Wall clock. */
  readonly untilMs: number;
};

export class HeldRequests {
  #held: HeldRequest[] = [];
  #bytes = 0;

  get wakeAtMs(): number | undefined {
    if (this.#held.length === 0) return undefined;
    return Math.min(...this.#held.map(({ untilMs }) => untilMs));
  }

  mayHoldMs(bytes: number, sinceMs: number, nowMs: number): number {
    const isFull =
      this.#held.length >= throttledCallsMax || this.#bytes + bytes > throttledBytesMax;
    return isFull ? 0 : Math.max(0, sinceMs + throttleWaitMaxMs - nowMs);
  }

  add(held: HeldRequest): void {
    this.#held.push(held);
    this.#bytes += held.bytes.length;
  }

  take(id: string | number): Call | undefined {
    const found = this.#held.find(({ call }) => call.id?.value === id);
    if (!found) return undefined;
    this.#held = this.#held.filter((held) => held !== found);
    this.#bytes -= found.bytes.length;
    return found.call;
  }

  takeExchange(number: number): readonly HeldRequest[] {
    const taken = this.#held.filter(({ call }) => call.exchange?.number === number);
    this.#held = this.#held.filter((request) => !taken.includes(request));
    for (const { bytes } of taken) this.#bytes -= bytes.length;
    return taken;
  }

  takeAll(): HeldRequest[] {
    const all = this.#held;
    this.#held = [];
    this.#bytes = 0;
    return all;
  }
}

export function requestedAgain({ call, bytes }: HeldRequest, atMs: number): Requested {
  const line = { bytes, size: bytes.length, skim: undefined };
  const position = { from: "client", line, item: undefined, hasPassed: false } as const;
  const arrival = { ...position, size: line.size, atMs, exchange: call.exchange };
  return { kind: "requested", call, arrival };
}
