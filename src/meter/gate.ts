import { exactCountCharacters, throttleWaitMaxMs } from "#limits.ts";
import { type Account, Accounts, type Claim, type PurseBooks } from "./accounts.ts";
import type { Action } from "./action.ts";
import type { Budget } from "./budget.ts";
import type { Call } from "./call.ts";
import { mediaTokens, tokensOfParts, tokensOfResult, tokensOfTexts } from "./price.ts";
import { refillAt } from "./purse.ts";
import type { Reader } from "./reader.ts";
import type { AlertRecord, Common, PurseState, RecordBody } from "./record.ts";
import type { RefusalFacts, RefusalReason } from "./refusal-text.ts";
import { Repeats } from "./repeats.ts";
import type { Part } from "./visibility.ts";

/** What a gate is made of. */
export type GateDeps = {
  readonly budgets: readonly Budget[];
  readonly actions: { readonly [id: string]: Action };
  readonly books: PurseBooks;
  /** Names this server among all that share purses. */
  readonly server: string;
  readonly warnAtPercent: number;
  /** Identical calls in a row that are allowed; undefined for any number. */
  readonly repeatsMax: number | undefined;
  /** Keeps a text where the user can read it; its path, or undefined when that failed. */
  readonly keep: (text: string) => string | undefined;
  /** Counts what waits to be counted, so that purses hold what calls really cost. */
  readonly countAll: () => void;
};

/** Whether a request goes to the server. */
export type Admission =
  | { readonly kind: "pass" }
  | { readonly kind: "refuse"; readonly facts: RefusalFacts }
  | { readonly kind: "wait"; readonly untilMs: number };

/** An answer to be judged. */
export type Answer = {
  /** Undefined for an error, and for a result that was too long to read. */
  readonly result: unknown;
  /** What the model sees of it; undefined when it was too long to read. */
  readonly visible: readonly Part[] | undefined;
  /** Bytes of its line: no text in it can cost more than these allow. */
  readonly bytes: number;
};

/** What the client gets. */
export type Delivery =
  | { readonly kind: "pass" }
  | { readonly kind: "refuse"; readonly facts: RefusalFacts }
  | { readonly kind: "replace"; readonly result: unknown };

type Grant = { readonly claims: Claim[]; readonly input: number };

/** An account that has no room for a call, and why. */
type Shortage = { readonly account: Account; readonly reason: RefusalReason };

/**
 * Holds calls to their budgets. What is open is reserved, so calls in flight cannot slip under together;
 * what is refused or cancelled costs nothing.
 */
export class Gate {
  readonly #deps: GateDeps;
  readonly #accounts: Accounts;
  readonly #repeats: Repeats;
  readonly #grants = new Map<Call, Grant>();
  #records: RecordBody[] = [];

  constructor(deps: GateDeps) {
    this.#deps = deps;
    const { budgets, actions, books, server } = deps;
    this.#accounts = new Accounts(budgets, actions, books, server);
    this.#repeats = new Repeats(deps.repeatsMax);
  }

  /** True when requests must be judged before they pass. */
  get holdsRequests(): boolean {
    return this.#deps.budgets.length > 0 || this.#deps.repeatsMax !== undefined;
  }

  /** True when an answer that is on its way must be judged before it passes. */
  get holdsAnswers(): boolean {
    for (const { claims } of this.#grants.values()) {
      if (claims.some(({ account }) => account.action.holdsAnswers)) return true;
    }
    return false;
  }

  /** Breaches and alerts since they were last taken. */
  takeRecords(): RecordBody[] {
    const records = this.#records;
    if (records.length > 0) this.#records = [];
    return records;
  }

  states(nowMs: number): PurseState[] {
    return this.#accounts.states(nowMs);
  }

  /**
   * Judges a request, and keeps back what it costs when it passes. `mayNotWait` makes a request that
   * would wait a refused one; one that waited is judged again under the same rules.
   */
  admit(call: Call, reader: Reader, nowMs: number, mayNotWait: boolean): Admission {
    const accounts = this.#accounts.of(call);
    const input = inputTokens(call, accounts, reader);
    const repeated = this.#repeats.add(call);
    if (repeated !== undefined) return this.#refuseRepeat(call, repeated, input);
    if (!accounts.every((account) => hasRoom(account, input, nowMs))) this.#deps.countAll();
    const claims: Claim[] = [];
    for (const account of accounts) {
      const claim: Claim = { account, hold: undefined };
      claims.push(claim);
      const shortage = reserve(claim, input, nowMs);
      if (!shortage) continue;
      const answer = account.action.request();
      const untilMs = refillOf(account, nowMs);
      if (answer === "wait" && !mayNotWait && untilMs - nowMs <= throttleWaitMaxMs) {
        releaseAll(claims);
        return { kind: "wait", untilMs };
      }
      const facts = this.#breach(call, shortage, input, false, nowMs);
      if (answer !== "pass") {
        releaseAll(claims);
        return { kind: "refuse", facts };
      }
      force(claim, input, nowMs);
    }
    if (claims.length > 0) this.#grants.set(call, { claims, input });
    return { kind: "pass" };
  }

  /** Judges the answer to a call that passed. */
  deliver(call: Call, answer: Answer, reader: Reader, nowMs: number): Delivery {
    const grant = this.#grants.get(call);
    if (!grant) return { kind: "pass" };
    const media = (answer.visible ?? []).reduce(
      (sum, part) => sum + (part.kind === "text" ? 0 : mediaTokens(part, reader).tokens),
      0,
    );
    const bound = boundOf(answer.bytes, reader) + media;
    // No text of so few bytes can cost more, so there is nothing to count before it may pass.
    if (grant.claims.every((claim) => claimed(claim, grant.input + bound, nowMs))) {
      return { kind: "pass" };
    }
    this.#deps.countAll();
    return this.#judge(call, grant, answer, { reader, bound, nowMs });
  }

  /** Charges what a call really cost; `didRun` is false when the server never ran it. */
  settle(call: Call, tokens: number, didRun: boolean, nowMs: number): void {
    const grant = this.#grants.get(call);
    if (!grant) return;
    this.#grants.delete(call);
    for (const { account, hold } of grant.claims) {
      const amount = account.budget.unit === "tokens" ? tokens : Number(didRun);
      account.dearest = Math.max(account.dearest, amount);
      if (hold) account.kept?.book.settle(hold, amount);
      this.#warn(account, nowMs);
    }
  }

  /** Gives back what a call kept: it was cancelled or refused. */
  release(call: Call): void {
    const grant = this.#grants.get(call);
    if (!grant) return;
    this.#grants.delete(call);
    releaseAll(grant.claims);
  }

  #judge(
    call: Call,
    grant: Grant,
    answer: Answer,
    { reader, bound, nowMs }: { reader: Reader; bound: number; nowMs: number },
  ): Delivery {
    let { result } = answer;
    let isReplaced = false;
    let tokens = answer.visible ? countNow(answer.visible, grant, reader) : bound;
    for (const claim of grant.claims) {
      if (claimed(claim, grant.input + tokens, nowMs)) continue;
      const { account } = claim;
      const shortage: Shortage = { account, reason: "answer_over_budget" };
      const facts = this.#breach(call, shortage, grant.input + tokens, true, nowMs);
      const room = roomOf(claim, nowMs) - grant.input;
      const { keep } = this.#deps;
      const answered = account.action.result({
        result,
        room,
        spec: account.budget.spec,
        reader,
        keep,
      });
      if (answered.kind === "replace") {
        result = answered.result;
        isReplaced = true;
        tokens = tokensOfResult(result, reader);
      }
      const isForced = answered.kind === "pass";
      if (answered.kind === "refuse" || !claimed(claim, grant.input + tokens, nowMs, isForced)) {
        this.release(call);
        return { kind: "refuse", facts };
      }
    }
    if (!isReplaced) return { kind: "pass" };
    for (const claim of grant.claims) claimed(claim, grant.input + tokens, nowMs, true);
    return { kind: "replace", result };
  }

  #breach(
    call: Call,
    { account, reason }: Shortage,
    tokens: number,
    didRun: boolean,
    nowMs: number,
  ): RefusalFacts {
    const { budget, action } = account;
    account.breaches += 1;
    const spent = account.kept?.book.taken(account.kept.purse, nowMs) ?? 0;
    this.#records.push({
      type: "breach",
      budget: budget.spec,
      limit: budget.limit,
      unit: budget.unit,
      per: budget.per,
      spent,
      tokens,
      action: action.id,
      is_enforced: action.isEnforcing,
      did_run: didRun,
      tool: call.asked.tool,
      request_id: call.id?.value ?? null,
    });
    const refillMs = refillOf(account, nowMs) - nowMs;
    return factsOf(call, { reason, budget, spent, tokens, refillMs });
  }

  #refuseRepeat(call: Call, times: number, tokens: number): Admission {
    const limit = this.#deps.repeatsMax ?? 0;
    const budget: Budget = {
      spec: `max-repeats ${limit}`,
      tool: null,
      limit,
      unit: "calls",
      per: "session",
      action: "error",
      warnAtPercent: null,
    };
    this.#records.push({
      type: "breach",
      budget: budget.spec,
      limit,
      unit: "calls",
      per: "session",
      spent: times,
      tokens,
      action: "error",
      is_enforced: true,
      did_run: false,
      tool: call.asked.tool,
      request_id: call.id?.value ?? null,
    });
    const facts = {
      reason: "repeated_call" as const,
      budget,
      spent: times,
      tokens,
      refillMs: Infinity,
    };
    return { kind: "refuse", facts: factsOf(call, facts) };
  }

  #warn(account: Account, nowMs: number): void {
    const { budget, kept, dearest } = account;
    if (account.warned) return;
    const spent = kept ? kept.book.taken(kept.purse, nowMs) : dearest;
    const percent = budget.warnAtPercent ?? this.#deps.warnAtPercent;
    if (spent * 100 < budget.limit * percent) return;
    account.warned = true;
    const body: Omit<AlertRecord, keyof Common> = {
      type: "alert",
      alert: "budget_warning",
      tool: account.tool,
      budget: budget.spec,
      limit: budget.limit,
      value: spent,
      detail: `${Math.floor((spent / budget.limit) * 100)} % of ${budget.spec} is spent`,
    };
    this.#records.push(body);
  }
}

function factsOf(call: Call, facts: Omit<RefusalFacts, "name" | "isMore">): RefusalFacts {
  return { ...facts, name: call.asked.tool ?? call.method, isMore: false };
}

/** Tokens of a request; of one that is over every limit only that it is. */
function inputTokens(call: Call, accounts: readonly Account[], reader: Reader): number {
  if (call.truncated) return boundOf(call.inputBytes, reader);
  const most = Math.max(0, ...accounts.map(({ budget }) => budget.limit));
  return tokensOfTexts(call.asked.input, reader, most);
}

function hasRoom({ budget, kept }: Account, input: number, nowMs: number): boolean {
  const amount = budget.unit === "tokens" ? Math.max(1, input) : 1;
  return amount + (kept?.book.taken(kept.purse, nowMs) ?? 0) <= budget.limit;
}

function releaseAll(claims: readonly Claim[]): void {
  for (const { account, hold } of claims) if (hold) account.kept?.book.release(hold);
}

/** Keeps the input's share back; what is missing when there is no room for it. */
function reserve(claim: Claim, input: number, nowMs: number): Shortage | undefined {
  const { account } = claim;
  const { budget, kept } = account;
  const amount = budget.unit === "tokens" ? input : 1;
  if (!kept)
    return amount > budget.limit ? { account, reason: "arguments_over_budget" } : undefined;
  const taken = kept.book.taken(kept.purse, nowMs);
  if (taken >= budget.limit) return { account, reason: "budget_spent" };
  claim.hold = kept.book.hold(kept.purse, amount, nowMs, false);
  if (claim.hold) return undefined;
  return { account, reason: amount > budget.limit ? "arguments_over_budget" : "budget_spent" };
}

function force(claim: Claim, input: number, nowMs: number): void {
  const { budget, kept } = claim.account;
  const amount = budget.unit === "tokens" ? input : 1;
  if (kept) claim.hold = kept.book.hold(kept.purse, amount, nowMs, true);
}

/** True when the claim may grow to that many tokens, and then it has. */
function claimed(claim: Claim, tokens: number, nowMs: number, isForced = false): boolean {
  const { budget, kept, action } = claim.account;
  if (budget.unit === "calls") return true;
  if (!kept) return tokens <= budget.limit || isForced || !action.holdsAnswers;
  return !claim.hold || kept.book.resize(claim.hold, tokens, nowMs, isForced);
}

/** What the claim may hold at most, its own part included. */
function roomOf({ account, hold }: Claim, nowMs: number): number {
  const { budget, kept } = account;
  if (!kept) return budget.limit;
  return budget.limit - kept.book.taken(kept.purse, nowMs) + (hold?.amount ?? 0);
}

function refillOf({ kept }: Account, nowMs: number): number {
  return kept ? refillAt(kept.purse.per, nowMs) : Infinity;
}

function boundOf(bytes: number, { estimator }: Reader): number {
  return Math.ceil(bytes * estimator.tokensPerByteMax);
}

/** Exact tokens of what is short enough to be told; of the rest only whether it is too much. */
function countNow(parts: readonly Part[], grant: Grant, reader: Reader): number {
  const characters = parts.reduce(
    (sum, part) => sum + (part.kind === "text" ? part.text.length : 0),
    0,
  );
  const most = Math.max(0, ...grant.claims.map(({ account }) => account.budget.limit));
  const enough = characters <= exactCountCharacters ? Infinity : most;
  return tokensOfParts(parts, reader, enough);
}
