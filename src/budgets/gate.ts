import { nameCharactersMax } from "#limits.ts";
import { nameAt, type Place } from "#calls/arrival.ts";
import type { Call } from "#calls/call.ts";
import type { Closed, Requested } from "#calls/transition.ts";
import { describeResult, describeError } from "#cost/methods.ts";
import { countResult } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import type { BudgetState, RecordBody } from "#records/record.ts";
import { isObject } from "#wire/json.ts";
import { type Account, Accounts } from "./accounts.ts";
import {
  breachOf,
  breachOfLock,
  breachOfRepeats,
  recordsOfSpending,
  refillOf,
  type Shortage,
} from "./breach.ts";
import { type Answer, answerBound, answerPrice, requestPrice } from "./call-price.ts";
import { type Claim, gatesAnswers, type Grant, newGrant, release, reserve } from "./claim.ts";
import { roomFor, spend, spendAnyway } from "./claim.ts";
import { type Context, type Decision, forward, type Price, unsettled } from "./decision.ts";
import type { GateOptions } from "./gate-options.ts";
import { Repeats } from "./repeats.ts";

/** A request as the gate weighs it. */
type Weighed = {
  readonly call: Call;
  /** Null where there is no tool, or its name could not be read. */
  readonly tool: string | null;
  readonly price: Price;
  /** True when it was forwarded already and can only be charged. */
  readonly hasPassed: boolean;
};

/**
 * Holds calls to their budgets. Open calls are reserved, so calls in flight cannot exceed a limit together;
 * a refused or cancelled call costs nothing.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #accounts: Accounts;
  readonly #repeats: Repeats;
  readonly #grants = new Map<Call, Grant>();
  /** Grants whose answers must be decided and have not arrived. */
  readonly #awaited = new Set<Grant>();

  /** `server` identifies this server among all that share counters. */
  constructor(options: GateOptions, server: string) {
    this.#options = options;
    this.#accounts = new Accounts(options, server);
    this.#repeats = new Repeats(options.repeatsMax);
  }

  /** True when requests must be decided before they pass. */
  get holdsRequests(): boolean {
    const { budgets, actions, repeatsMax, isLockEnforced } = this.#options;
    return (
      isLockEnforced ||
      repeatsMax !== undefined ||
      budgets.some(({ action }) => actions[action]?.isEnforcing !== false)
    );
  }

  /** True when a request may be held until a counter refills. */
  get mayHold(): boolean {
    const { budgets, actions } = this.#options;
    return budgets.some(({ action }) => actions[action]?.waits === true);
  }

  /** True when an answer that is still to come must be decided before it passes. */
  get holdsAnswers(): boolean {
    return this.#awaited.size > 0;
  }

  states(nowMs: number): BudgetState[] {
    return this.#accounts.states(nowMs);
  }

  /** Decides about a request, or about the answer that ends a call, and reserves or spends its tokens. */
  decide(transition: Requested | Closed, context: Context): Decision {
    return transition.kind === "requested"
      ? this.#decideRequest(transition, context)
      : this.#decideAnswer(transition, context);
  }

  /**
   * Charges a finished call with its real cost, or with the most it can be where `tokens` is undefined;
   * `didRun` is false when the server rejected it. Returns the records that follow.
   */
  settle(
    call: Call,
    { tokens, didRun }: { readonly tokens: number | undefined; readonly didRun: boolean },
    nowMs: number,
  ): RecordBody[] {
    const grant = this.#take(call);
    if (!grant) return [];
    const { warnAtPercent } = this.#options;
    return grant.claims.flatMap((claim) => {
      const { account, hold } = claim;
      const isTokens = account.budget.unit === "tokens";
      const amount = isTokens ? (tokens ?? grant.most) : Number(didRun);
      account.largest = Math.max(account.largest, amount);
      if (hold) account.kept?.store.settle(hold, amount);
      return recordsOfSpending(claim, { call, amount }, { nowMs, warnAtPercent });
    });
  }

  /** Gives back what a call reserved: it was cancelled or refused. */
  release(call: Call): void {
    const grant = this.#take(call);
    if (grant) release(grant);
  }

  #take(call: Call): Grant | undefined {
    const grant = this.#grants.get(call);
    if (!grant) return undefined;
    this.#grants.delete(call);
    this.#awaited.delete(grant);
    return grant;
  }

  #decideRequest({ call, arrival }: Requested, context: Context): Decision {
    // A list is compared with the lock once it is counted.
    if (this.#options.isLockEnforced && !context.isSettled) return unsettled;
    const tool = toolNamed(call, arrival);
    const accounts = this.#accounts.for(call, tool);
    const price = requestPrice(call, largestLimit(accounts), context.reader);
    const weighed: Weighed = { call, tool, price, hasPassed: arrival.hasPassed };
    const ruled = this.#applyRules(weighed, context);
    if (ruled.kind !== "forward") return ruled;
    return this.#reserveAll(accounts, weighed, context, ruled.records);
  }

  /** The lock and the limit of repeats, which need no counter. */
  #applyRules(weighed: Weighed, { changedTools, wasHeld }: Context): Decision {
    const { call, tool, price, hasPassed } = weighed;
    const shortage = { call, tool, ...price, didRun: false, isEnforced: !hasPassed };
    const { isLockEnforced, repeatsMax } = this.#options;
    const isChanged = tool !== null && isLockEnforced && changedTools.has(tool);
    const isCounted = repeatsMax !== undefined && !wasHeld;
    const times = isCounted ? this.#repeats.excess(call) : undefined;
    const breaches = [
      ...(isChanged ? [breachOfLock({ ...shortage, reason: "definition_changed" })] : []),
      ...(times === undefined
        ? []
        : [breachOfRepeats(times, { ...shortage, reason: "repeated_call" })]),
    ];
    const [first] = breaches;
    if (!first) return forward;
    if (!hasPassed) return { kind: "refuse", facts: first.facts, records: [first.record] };
    return { kind: "forward", records: breaches.map(({ record }) => record) };
  }

  #reserveAll(
    accounts: readonly Account[],
    weighed: Weighed,
    context: Context,
    ruled: readonly RecordBody[],
  ): Decision {
    const grant = newGrant(weighed.price.tokens);
    const records = [...ruled];
    for (const account of accounts) {
      const decision = this.#reserve(grant, account, weighed, context);
      records.push(...decision.records);
      if (decision.kind === "forward") continue;
      release(grant);
      return { ...decision, records };
    }
    if (accounts.length > 0) this.#grants.set(weighed.call, grant);
    if (accounts.some(gatesAnswers)) this.#awaited.add(grant);
    return records.length === 0 ? forward : { kind: "forward", records };
  }

  #reserve(grant: Grant, account: Account, weighed: Weighed, context: Context): Decision {
    const { nowMs, isSettled, mayHoldMs } = context;
    if (reserve(grant, account, nowMs)) return forward;
    if (!isSettled) return unsettled;
    const { hasPassed, price, call, tool } = weighed;
    const { waits, isEnforcing } = account.action;
    const untilMs = refillOf(account, nowMs);
    const { budget } = account;
    const isTooMuch = budget.unit === "tokens" && price.tokens > budget.limit;
    if (waits && !hasPassed && !isTooMuch && untilMs - nowMs <= mayHoldMs) {
      return { kind: "hold", untilMs, records: [] };
    }
    const shortage: Shortage = {
      call,
      tool,
      ...price,
      reason: isTooMuch ? "arguments_over_budget" : "budget_spent",
      didRun: false,
      isEnforced: isEnforcing && !hasPassed,
    };
    const { record, facts } = breachOf(account, shortage, nowMs);
    if (shortage.isEnforced) return { kind: "refuse", facts, records: [record] };
    const claim = reserve(grant, account, nowMs, true);
    if (claim) claim.isBreached = true;
    return { kind: "forward", records: [record] };
  }

  #decideAnswer(closed: Closed, context: Context): Decision {
    const { call, answer: arrived } = closed;
    const grant = this.#grants.get(call);
    if (!grant || !arrived) return forward;
    this.#awaited.delete(grant);
    const { nowMs, reader, isSettled } = context;
    const answer = answerOf(closed, arrived.arrival.line.size, reader);
    grant.most = grant.input + answerBound(answer, reader);
    if (arrived.arrival.hasPassed) {
      for (const claim of grant.claims) spendAnyway(claim, grant.most, nowMs);
      return forward;
    }
    // No text of that many bytes can cost more, so it may pass uncounted.
    if (grant.claims.every((claim) => spend(claim, grant.most, nowMs))) return forward;
    return isSettled ? this.#weigh(closed, grant, answer, context) : unsettled;
  }

  /** Counts an answer and lets each account without room for it say what the client gets. */
  #weigh(closed: Closed, grant: Grant, answer: Answer, context: Context): Decision {
    const { call, closing } = closed;
    const { reader, nowMs } = context;
    const given = call.method === "tools/call" ? closing.result : undefined;
    const limit = largestLimit(grant.claims.map(({ account }) => account));
    const records: RecordBody[] = [];
    let result = given;
    let price = answerPrice(answer, limit, reader);
    for (const claim of grant.claims) {
      const tokens = grant.input + price.tokens;
      if (spend(claim, tokens, nowMs)) continue;
      claim.isBreached = true;
      const { record, facts } = breachOf(claim.account, excessOf(call, price, tokens), nowMs);
      records.push(record);
      const reduced = this.#reduce(claim, result, grant, context);
      if (reduced) ({ result, price } = reduced);
      if (!reduced || !spend(claim, grant.input + price.tokens, nowMs)) {
        this.release(call);
        return { kind: "refuse", facts, records };
      }
    }
    if (result === given) return { kind: "forward", records };
    for (const claim of grant.claims) spend(claim, grant.input + price.tokens, nowMs);
    return { kind: "replace", result, records };
  }

  /** A smaller result by the account's action, and its price; undefined when the action refuses. */
  #reduce(
    claim: Claim,
    result: unknown,
    grant: Grant,
    { reader, nowMs }: Context,
  ): { readonly result: unknown; readonly price: Price } | undefined {
    const { action, budget } = claim.account;
    const room = roomFor(claim, nowMs) - grant.input;
    const { keep } = this.#options;
    const reduced = action.result({ result, room, spec: budget.spec, reader, keep });
    if (reduced.kind !== "replace") return undefined;
    const tokens = countResult(reduced.result, reader);
    return { result: reduced.result, price: { tokens, sureness: "exactly" } };
  }
}

function excessOf(call: Call, price: Price, tokens: number): Shortage {
  const { tool } = call.asked;
  const reason = "answer_over_budget";
  return { call, tool, reason, ...price, tokens, didRun: true, isEnforced: true };
}

/** Above this nothing needs to be counted: every budget of tokens is exceeded. */
function largestLimit(accounts: readonly Account[]): number {
  const limits = accounts.map(({ budget }) => (budget.unit === "tokens" ? budget.limit : 0));
  return Math.max(0, ...limits);
}

/** The tool of a request, also of one that is too deeply nested to parse. */
function toolNamed(call: Call, place: Place): string | null {
  if (!call.truncated || call.asked.tool === null) return call.asked.tool;
  return nameAt(place)?.slice(0, nameCharactersMax) ?? null;
}

function answerOf({ call, closing }: Closed, bytes: number, { profile }: Reader): Answer {
  const { result, error } = closing;
  // An error without members was not parsed.
  const isRead = result !== undefined || (isObject(error) && Object.keys(error).length > 0);
  const { visible } =
    error === undefined ? describeResult(call.method, result, profile) : describeError(error);
  return { visible: isRead ? visible : undefined, bytes };
}
