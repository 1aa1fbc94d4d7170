import { nameCharactersMax } from "#kit/limits.ts";
import { nameAt, type Position, type Call, type Requested, type Arrival } from "../calls/call.ts";
import type { LockVerdict } from "#lock/lock-watch.ts";
import {
  type RecordBody,
  type BreachRecord,
  type CommonMembers,
  validMessages,
} from "#records/record.ts";
import {
  type Account,
  fitsAsKnown,
  type Grant,
  newGrant,
  release,
  reserve,
  type Claim,
} from "./claim.ts";
import type { Budget } from "./budget.ts";
import {
  type RefusalReason,
  type Context,
  type Decision,
  forward,
  type Price,
  unsettled,
  type RefusalFacts,
} from "./decision.ts";
import { channelMethod } from "#tokens/cost/methods.ts";
import { localStanding } from "./counter.ts";
import { computeRefill } from "./windows.ts";

type WeighedRequest = {
  readonly call: Call;
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

/** Refuses if budgets may be missing, the tool differs from the lock, or calls repeat too often. */
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

/** Reserves in all accounts or in none. `ruleRecords` come from the rules applied before. */
export function reserveAll(
  accounts: readonly Account[],
  request: WeighedRequest,
  context: Context,
  ruleRecords: readonly RecordBody[],
): RequestDecision {
  const grant = newGrant(request.price.tokens);
  const records = [...ruleRecords];
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
  { nowMs, isSettled, holdMaxMs: mayHoldMs }: Context,
): Decision {
  const { hasPassed, price } = request;
  const { waits, isEnforcing } = account.action;
  // A request that passes in any case queries no counter: the last known amounts decide.
  const isKnownToFit = (hasPassed || !isEnforcing) && fitsAsKnown(account, grant, nowMs);
  if (reserve(grant, account, nowMs, isKnownToFit)) return forward;
  if (!isSettled) return unsettled;
  const untilMs = nextRefill(account, nowMs);
  const reason = pickReason(account.budget, price);
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
function pickReason({ limit, unit }: Budget, { tokens }: Price): Shortage["reason"] {
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

// Beyond this, requests are refused.
export const throttledBytesMax = 16 * 1024 * 1024;

export type HeldRequest = {
  readonly call: Call;
  readonly bytes: Uint8Array;
  /** Monotonic: the wall clock may be set back meanwhile. */
  readonly sinceMs: number;
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

export type Shortage = Price & {
  readonly call: Call;
  readonly tool: string | null;
  readonly reason: RefusalReason;
  readonly didRun: boolean;
  readonly isEnforced: boolean;
  readonly ownHold?: number;
};

type Breach = { readonly record: RecordBody; readonly facts: RefusalFacts };

export function breachBudget(account: Account, shortage: Shortage, nowMs: number): Breach {
  account.breaches += 1;
  const { budget, stored } = account;
  const refillMs = nextRefill(account, nowMs) - nowMs;
  const standing = stored?.store.standing(stored.counter, nowMs) ?? localStanding(0, 0);
  const isUnreachable = !standing.isReachable && shortage.reason === "budget_spent";
  const reason = isUnreachable ? "counters_unreachable" : shortage.reason;
  const spent = Math.max(0, standing.taken - (shortage.ownHold ?? 0));
  const facts = { budget, spent, held: standing.held, refillMs };
  return makeBreach({ ...shortage, reason }, facts);
}

export function breachRepeatLimit(times: number, shortage: Shortage): Breach {
  const budget = { ...ruleBudget, spec: `max-repeats ${times}`, limit: times };
  return makeBreach(shortage, { budget, spent: times, held: 0, refillMs: Infinity });
}

export function breachLock(shortage: Shortage): Breach {
  const budget = { ...ruleBudget, spec: "lock", limit: 0 };
  return makeBreach(shortage, { budget, spent: 0, held: 0, refillMs: Infinity });
}

function breachConfig(shortage: Shortage): Breach {
  const budget = { ...ruleBudget, spec: "on-fault closed", limit: 0 };
  return makeBreach(shortage, { budget, spent: 0, held: 0, refillMs: Infinity });
}

/** The record of a line that is not exactly one valid message; neither side receives it. */
export function rejectMessage({ from }: Pick<Arrival, "from">): RecordBody {
  const { unit, per, action } = ruleBudget;
  const none = { limit: 0, spent: 0, tokens: 0, tool: null, request_id: null };
  const facts = { budget: validMessages, is_enforced: true, did_run: from === "server" };
  return { type: "breach", unit, per, action, ...none, ...facts };
}

/** Records a breach of a limit that does not enforce, and one alert at the warning level. */
export function recordsOfSpending(
  { account, isBreached }: Claim,
  spending: { readonly call: Call; readonly amount: number },
  { nowMs, warnAtPercent }: { readonly nowMs: number; readonly warnAtPercent: number },
): RecordBody[] {
  const { budget, stored } = account;
  if (account.warned && isBreached) return [];
  const { call, amount } = spending;
  const spent = stored ? readTaken(account, nowMs) : amount;
  const isOver = !isBreached && amount > 0 && spent > budget.limit;
  const overrun = isOver ? [recordOverrun(account, call, amount, nowMs)] : [];
  const percent = budget.warnAtPercent ?? warnAtPercent;
  if (account.warned || budget.limit === 0 || spent * 100 < budget.limit * percent) return overrun;
  account.warned = true;
  return [...overrun, makeWarning(account, spent)];
}

export function nextRefill({ stored }: Account, nowMs: number): number {
  return stored ? computeRefill(stored.counter.per, nowMs) : Infinity;
}

function readTaken({ stored }: Account, nowMs: number): number {
  return stored ? stored.store.standing(stored.counter, nowMs).taken : 0;
}

function recordOverrun(account: Account, call: Call, amount: number, nowMs: number): RecordBody {
  const price: Price = { tokens: amount, sureness: "exactly" };
  const { tool } = call.request;
  const reason = "answer_over_budget";
  const shortage = { call, tool, reason, ...price, didRun: true, isEnforced: false } as const;
  return breachBudget(account, { ...shortage, ownHold: amount }, nowMs).record;
}

function makeWarning({ budget, tool }: Account, spent: number): RecordBody {
  return {
    type: "alert",
    alert: "budget_warning",
    tool,
    budget: budget.spec,
    limit: budget.limit,
    value: spent,
    detail: `${Math.floor((spent * 100) / budget.limit)}% of ${budget.spec} spent`,
  };
}

function makeBreach(
  { call, tool, reason, tokens, sureness, didRun, isEnforced }: Shortage,
  { budget, spent, held, refillMs }: Pick<RefusalFacts, "budget" | "spent" | "held" | "refillMs">,
): Breach {
  const record: Omit<BreachRecord, keyof CommonMembers> = {
    type: "breach",
    budget: budget.spec,
    limit: budget.limit,
    unit: budget.unit,
    per: budget.per,
    spent,
    tokens,
    action: budget.action,
    is_enforced: isEnforced,
    did_run: didRun,
    tool,
    request_id: call.recordedId,
    ...(call.method === channelMethod ? { method: channelMethod } : {}),
  };
  const name = tool ?? call.method;
  return { record, facts: { name, budget, reason, spent, held, tokens, sureness, refillMs } };
}

/** `--on-fault`, `--enforce-lock` and `--max-repeats` are reported like this budget. */
const ruleBudget: Omit<Budget, "spec" | "limit"> = {
  tool: null,
  isOverall: false,
  unit: "calls",
  per: "session",
  action: "error",
  warnAtPercent: null,
};
