import { type Account, Accounts, type CounterStores } from "./accounts.ts";
import type { Action } from "./action.ts";
import { Breaches, refillOf, type Shortage } from "./breaches.ts";
import type { Budget } from "./budget.ts";
import { answerBound, answerPrice, requestPrice } from "./call-price.ts";
import type { Call } from "#calls/call.ts";
import { Grant, roomOf, spend, spendAnyway } from "./grant.ts";
import { countResult } from "#cost/price.ts";
import type { BudgetState, RecordBody } from "#records/record.ts";
import { Repeats } from "./repeats.ts";
import type { Admission, Answer, Asking, Circumstances, Delivery, Price } from "./verdict.ts";

/** What a gate is made of. */
export type GateDeps = {
  readonly budgets: readonly Budget[];
  readonly actions: { readonly [id: string]: Action };
  readonly books: CounterStores;
  /** Names this server among all that share counters. */
  readonly server: string;
  readonly warnAtPercent: number;
  /** Identical calls in a row that are allowed; undefined for any number. */
  readonly repeatsMax: number | undefined;
  /** True for a tool that must not be called as it is now; undefined when any may. */
  readonly isChanged?: ((tool: string | null) => boolean) | undefined;
  /** Keeps a text where the user can read it; its path, or undefined when that failed. */
  readonly keep: (text: string) => string | undefined;
  /** Counts what waits to be counted, so that counters hold what calls really cost. */
  readonly countAll: () => void;
};

/**
 * Holds calls to their budgets. What is open is reserved, so calls in flight cannot slip under together;
 * what is refused or cancelled costs nothing.
 */
export class Gate {
  readonly #deps: GateDeps;
  readonly #accounts: Accounts;
  readonly #repeats: Repeats;
  readonly #breaches: Breaches;
  readonly #grants = new Map<Call, Grant>();
  /** Grants whose answers must be judged and have not come. */
  readonly #judged = new Set<Grant>();

  constructor(deps: GateDeps) {
    this.#deps = deps;
    const { budgets, actions, books, server } = deps;
    this.#accounts = new Accounts(budgets, actions, books, server);
    this.#repeats = new Repeats(deps.repeatsMax);
    this.#breaches = new Breaches(deps.warnAtPercent);
  }

  /** True when requests must be judged before they pass. */
  get holdsRequests(): boolean {
    const { budgets, actions, repeatsMax, isChanged } = this.#deps;
    return (
      isChanged !== undefined ||
      repeatsMax !== undefined ||
      budgets.some((one) => actions[one.action]?.request() !== "pass")
    );
  }

  /** True when an answer that is on its way must be judged before it passes. */
  get holdsAnswers(): boolean {
    return this.#judged.size > 0;
  }

  /** Breaches and alerts since they were last taken. */
  takeRecords(): RecordBody[] {
    return this.#breaches.take();
  }

  states(nowMs: number): BudgetState[] {
    return this.#accounts.states(nowMs);
  }

  /** Judges a request, and keeps back what it costs when it passes. */
  admit(asking: Asking, now: Circumstances): Admission {
    const { call, tool, hasPassed } = asking;
    const accounts = this.#accounts.of(call, tool);
    const input = requestPrice(call, largestLimit(accounts), now.reader);
    if (this.#deps.isChanged?.(tool) === true) {
      const shortage = { call, tool, ...input, didRun: false, isEnforced: !hasPassed };
      const facts = this.#breaches.addChanged(shortage);
      if (!hasPassed) return { kind: "refuse", facts };
    }
    const repeated = asking.isAgain ? undefined : this.#repeats.add(call);
    if (repeated !== undefined) {
      const shortage = { call, tool, ...input, didRun: false, isEnforced: !hasPassed };
      const facts = this.#breaches.addRepeat(repeated, shortage);
      if (!hasPassed) return { kind: "refuse", facts };
    }
    const grant = new Grant(input.tokens);
    for (const account of accounts) {
      const admission = this.#reserve(grant, account, asking, input, now.nowMs);
      if (admission.kind === "pass") continue;
      grant.release();
      return admission;
    }
    if (accounts.length > 0) this.#grants.set(call, grant);
    if (grant.isJudged) this.#judged.add(grant);
    return { kind: "pass" };
  }

  /** Judges the answer to a call that passed. */
  deliver(call: Call, answer: Answer, now: Circumstances): Delivery {
    const grant = this.#grants.get(call);
    if (!grant) return { kind: "pass" };
    this.#judged.delete(grant);
    grant.most = grant.input + answerBound(answer, now.reader);
    if (answer.hasPassed) {
      for (const claim of grant.claims) spendAnyway(claim, grant.most, now.nowMs);
      return { kind: "pass" };
    }
    // No text of so few bytes can cost more, so there is nothing to count before it may pass.
    if (grant.claims.every((claim) => spend(claim, grant.most, now.nowMs))) {
      return { kind: "pass" };
    }
    this.#deps.countAll();
    return this.#weigh(call, grant, answer, now);
  }

  /** Charges what a call really cost, the most it can where nobody knows; `didRun` is false when it never ran. */
  settle(call: Call, tokens: number | undefined, didRun: boolean, nowMs: number): void {
    const grant = this.#take(call);
    if (!grant) return;
    for (const claim of grant.claims) {
      const { account, hold } = claim;
      const isTokens = account.budget.unit === "tokens";
      const amount = isTokens ? (tokens ?? grant.most) : Number(didRun);
      account.dearest = Math.max(account.dearest, amount);
      if (hold) account.kept?.book.settle(hold, amount);
      this.#breaches.look(claim, call, amount, nowMs);
    }
  }

  /** Gives back what a call kept: it was cancelled or refused. */
  release(call: Call): void {
    this.#take(call)?.release();
  }

  #take(call: Call): Grant | undefined {
    const grant = this.#grants.get(call);
    if (!grant) return undefined;
    this.#grants.delete(call);
    this.#judged.delete(grant);
    return grant;
  }

  #reserve(
    grant: Grant,
    account: Account,
    { call, tool, mayWaitMs, hasPassed }: Asking,
    input: Price,
    nowMs: number,
  ): Admission {
    if (grant.reserve(account, nowMs)) return { kind: "pass" };
    this.#deps.countAll();
    if (grant.reserve(account, nowMs)) return { kind: "pass" };
    const answer = hasPassed ? "pass" : account.action.request();
    const untilMs = refillOf(account, nowMs);
    const { budget } = account;
    const isTooMuch = budget.unit === "tokens" && input.tokens > budget.limit;
    if (answer === "wait" && !isTooMuch && untilMs - nowMs <= mayWaitMs) {
      return { kind: "wait", untilMs };
    }
    const shortage: Shortage = {
      call,
      tool,
      ...input,
      reason: isTooMuch ? "arguments_over_budget" : "budget_spent",
      didRun: false,
      isEnforced: answer !== "pass",
    };
    const facts = this.#breaches.add(account, shortage, nowMs);
    if (answer !== "pass") return { kind: "refuse", facts };
    const claim = grant.reserve(account, nowMs, true);
    if (claim) claim.isBreached = true;
    return { kind: "pass" };
  }

  /** Counts an answer and lets each account that has no room for it say what the client gets. */
  #weigh(call: Call, grant: Grant, answer: Answer, { reader, nowMs }: Circumstances): Delivery {
    let { result } = answer;
    const limit = largestLimit(grant.claims.map(({ account }) => account));
    let price = answerPrice(answer, limit, reader);
    for (const claim of grant.claims) {
      const tokens = grant.input + price.tokens;
      if (spend(claim, tokens, nowMs)) continue;
      const { account } = claim;
      claim.isBreached = true;
      const { tool } = call.asked;
      const reason = "answer_over_budget" as const;
      const shortage = { call, tool, reason, ...price, tokens, didRun: true, isEnforced: true };
      const facts = this.#breaches.add(account, shortage, nowMs);
      const room = roomOf(claim, nowMs) - grant.input;
      const { spec } = account.budget;
      const { keep } = this.#deps;
      const answered = account.action.result({ result, room, spec, reader, keep });
      const isReplaced = answered.kind === "replace";
      if (isReplaced) {
        ({ result } = answered);
        price = { tokens: countResult(result, reader), sureness: "exactly" };
      }
      if (!isReplaced || !spend(claim, grant.input + price.tokens, nowMs)) {
        this.release(call);
        return { kind: "refuse", facts };
      }
    }
    if (result === answer.result) return { kind: "pass" };
    for (const claim of grant.claims) spend(claim, grant.input + price.tokens, nowMs);
    return { kind: "replace", result };
  }
}

/** Beyond this nothing needs to be counted: every budget of tokens is exceeded. */
function largestLimit(accounts: readonly Account[]): number {
  return Math.max(
    0,
    ...accounts.map(({ budget }) => (budget.unit === "tokens" ? budget.limit : 0)),
  );
}
