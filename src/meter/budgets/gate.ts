import { setBounded } from "#kit/limits.ts";
import { recordSpending } from "./budget-alerts.ts";
import {
  Accounts,
  findLargestLimit,
  askForRequest,
  gatesAnswers,
  type Grant,
  makeGrant,
  release,
  reserve,
  askForAnswer,
  toAmount,
  noCost,
} from "./accounts.ts";
import type { Call, Closed, Repeated, Requested, Transition, Unreadable } from "../calls/call.ts";
import type { BudgetState, MeterRecord, RecordBody } from "#records/record.ts";
import {
  decideAnswer,
  decideNote,
  replaceByNote,
  boundClosedTokens,
  type AwaitedGrant,
  decideUnreadable,
} from "./answer-decision.ts";
import {
  applyRules,
  reserveAll,
  readToolName,
  countRequestTokens,
  type RuleFacts,
  UsualSizes,
} from "./request-decision.ts";
import {
  pendingDecision,
  type DecisionContext,
  type Decision,
  forward,
  type SaveAnswer,
} from "./decision.ts";
import type { GateOptions } from "./gate-options.ts";
import { mayLackAnswers, type RepeatNote, RepeatNotes, Repeats } from "./repeats.ts";
import { lateAnswersMax } from "#wire/pair-answers.ts";

/** Open calls hold reservations, so that concurrent calls cannot exceed a limit together. */
export class Gate {
  readonly #options: GateOptions;
  readonly #accounts: Accounts;
  readonly #repeats: Repeats | undefined;
  readonly #notes: RepeatNotes | undefined;
  readonly #usualSizes = new UsualSizes();
  readonly #grants = new Map<Call, Grant>();
  // Grants of open calls whose answer must fit a budget.
  readonly #awaited = new Map<Grant, Call>();
  // Grants of the last calls whose answer the client may have rejected.
  readonly #doubted = new Map<Call, Grant>();

  constructor(options: GateOptions, server: string, hash: (text: string) => string) {
    this.#options = options;
    this.#accounts = new Accounts(options, server);
    const { repeatsMax } = options;
    this.#repeats = repeatsMax === undefined ? undefined : new Repeats(repeatsMax);
    this.#notes = options.notesRepeats ? new RepeatNotes(hash) : undefined;
  }

  get holdsRequests(): boolean {
    const { budgets, actions, repeatsMax, isLockEnforced, isHidden } = this.#options;
    return (
      this.#options.isClosed === true ||
      isLockEnforced ||
      isHidden !== undefined ||
      repeatsMax !== undefined ||
      budgets.some(({ action }) => actions[action]?.isEnforcing !== false)
    );
  }

  get mayWaitForRefill(): boolean {
    const { budgets, actions } = this.#options;
    return budgets.some(({ action }) => actions[action]?.waits === true);
  }

  get holdsAnswers(): boolean {
    return this.guardsAnswers || this.#notes !== undefined;
  }

  // True if an unreadable line may be withheld as a possible answer. Repeat notes never replace such a line.
  get guardsAnswers(): boolean {
    const { budgets, actions } = this.#options;
    const mayWithhold = budgets.some(
      ({ unit, action }) => unit === "tokens" && actions[action]?.holdsAnswers === true,
    );
    return mayWithhold || this.holdsRequests;
  }

  listStates(nowMs: number): BudgetState[] {
    return this.#accounts.listStates(nowMs);
  }

  decide(transition: Gated, context: DecisionContext): Decision {
    switch (transition.kind) {
      case "requested":
        this.#notes?.open(transition.call);
        return this.#decideRequest(transition, context);
      case "closed":
        return this.#decideAnswer(transition, context);
      case "repeated":
        return this.#decideRepeated(transition, context);
      case "unreadable":
        return this.#decideUnreadable(transition, context);
    }
  }

  // Without `tokens`, charges the upper bound. `didRun` is false if the server rejected the call.
  settle(
    call: Call,
    { tokens, didRun }: { readonly tokens: number | undefined; readonly didRun: boolean },
    nowMs: number,
  ): RecordBody[] {
    const grant = this.#takeGrant(call);
    if (!grant) return [];
    const { warnAtPercent } = this.#options;
    const isUsual = !call.isRedelivery && !call.isNoted;
    if (tokens !== undefined && isUsual) this.#usualSizes.add(call.request.tool, tokens);
    // For a redelivery, `tokens` counts only the answer. `owed` is the request's tokens if they were refunded earlier,
    // otherwise 0.
    const owed = call.isRedelivery ? grant.inputTokens : 0;
    const counted = tokens === undefined ? grant.mostTokens : tokens + owed;
    call.tally.tokens += counted - grant.mostTokens;
    return grant.claims.flatMap((claim) => {
      const { account, hold, extraAmount } = claim;
      const { unit } = account.budget;
      const cost = didRun ? grant : { ...grant, toolPrice: 0 };
      const amount =
        unit === "calls" ? Number(didRun) : toAmount(account, counted, cost) + extraAmount;
      account.largestAmount = Math.max(account.largestAmount, amount);
      if (hold) account.stored?.store.settle(hold, amount);
      return recordSpending(claim, { call, amount, tokens: counted }, { nowMs, warnAtPercent });
    });
  }

  // `isWhole` is false if the client shows its model only a part of the answer.
  settleNotes(call: Call, record: MeterRecord, isWhole: boolean): void {
    if (record.type === "call") this.#notes?.settle(call, record, isWhole);
  }

  followTransition(transition: Transition): void {
    if (this.#notes && mayLackAnswers(transition)) this.#notes.forget();
  }

  forgetAnswers(): void {
    this.#notes?.forget();
  }

  // `didRun` is true if the call ran and its answer was withheld.
  release(call: Call, didRun = false): void {
    const grant = this.#takeGrant(call);
    if (!grant) return;
    call.tally.owed = grant.inputTokens;
    release(grant, didRun);
  }

  forget(call: Call): void {
    this.release(call);
    this.#repeats?.forget(call);
  }

  #takeGrant(call: Call): Grant | undefined {
    const grant = this.#grants.get(call);
    if (!grant) return undefined;
    this.#grants.delete(call);
    this.#awaited.delete(grant);
    return grant;
  }

  #decideRequest({ call, arrival }: Requested, context: DecisionContext): Decision {
    const tool = readToolName(call, arrival);
    const accounts = this.#accounts.list(call, tool);
    const count = countRequestTokens(call, findLargestLimit(accounts), context.reader);
    const usualTokens = this.#usualSizes.find(call.request.tool);
    const toolPrice = this.#findToolPrice(call, tool);
    const { hasPassed } = arrival;
    const request = { call, tool, count, toolPrice, hasPassed, usualTokens };
    const ruled = applyRules(request, this.#gatherRuleFacts(call, tool, context));
    if (ruled.kind !== "forward") return ruled;
    const cost = { inputTokens: count.tokens, toolPrice };
    if (askForRequest(accounts, cost, context)) return pendingDecision;
    const { decision, grant } = reserveAll(accounts, request, context, ruled.records);
    if (grant && accounts.length > 0) this.#grants.set(call, grant);
    if (grant) updateTally(call, grant.mostTokens);
    if (grant && accounts.some(gatesAnswers)) this.#awaited.set(grant, call);
    return decision;
  }

  #gatherRuleFacts(call: Call, tool: string | null, context: DecisionContext): RuleFacts {
    const { isClosed, isHidden } = this.#options;
    const isToolCall = call.method === "tools/call";
    return {
      isClosed,
      isHidden: isToolCall && isHidden?.(tool) === true,
      lockVerdict: isToolCall ? context.lock?.judgeTool(tool) : undefined,
      repeatsMax: context.wasDecidedBefore
        ? undefined
        : this.#repeats?.findExcess(call, context.reader),
    };
  }

  #findToolPrice({ method }: Call, tool: string | null): number {
    const { callPrices } = this.#options;
    return method === "tools/call" && callPrices ? callPrices.findToolPrice(tool) : 0;
  }

  #decideAnswer(closed: Closed, context: DecisionContext): Decision {
    if (!this.#notes) return this.#decideWithinBudgets(closed, context);
    return this.#notes.decide(closed, context, (note) =>
      this.#decideWithinBudgets(closed, context, this.#mayRepeat(closed.call) ? note : undefined),
    );
  }

  // A repeat note invites the model to call again. If `--max-repeats` would refuse that call, no note is sent.
  #mayRepeat(call: Call): boolean {
    return this.#repeats?.allowsAnother(call) !== false;
  }

  #decideWithinBudgets(closed: Closed, context: DecisionContext, note?: RepeatNote): Decision {
    const { call } = closed;
    if (call.isRedelivery && !this.#grants.has(call)) {
      this.#grants.set(call, this.#grantRedelivery(call, context.nowMs));
    }
    const grant = this.#grants.get(call);
    if (!grant || !closed.answer) return note ? replaceByNote(note) : forward;
    const decision = this.#decideNoteOrAnswer(closed, grant, context, note);
    if (decision.kind === "pending") return decision;
    const isAwaited = this.#awaited.delete(grant);
    this.#applyDecision(decision, call, grant);
    if (decision.kind === "refuse" && decision.facts.precision !== "at most")
      this.#usualSizes.add(call.request.tool, decision.facts.tokens);
    const isDoubted = isAwaited && closed.mayBeRejected === true && decision.kind === "forward";
    if (isDoubted) setBounded(this.#doubted, call, grant, lateAnswersMax);
    return decision;
  }

  #decideNoteOrAnswer(
    closed: Closed,
    grant: Grant,
    context: DecisionContext,
    note?: RepeatNote,
  ): Decision {
    const { saveAnswer } = this.#options;
    return (
      (note && decideNote(note, grant, context)) ?? decideAnswer(closed, grant, context, saveAnswer)
    );
  }

  #applyDecision({ kind }: Decision, call: Call, grant: Grant): void {
    if (kind === "refuse") this.release(call, true);
    // The next decision reserves again.
    else if (kind === "unsettled" && call.isRedelivery) this.release(call);
    else if (kind !== "unsettled") updateTally(call, grant.mostTokens);
  }

  // A redelivered result costs its tokens, but the tool did not run again.
  #grantRedelivery(call: Call, nowMs: number): Grant {
    const { tokens, owed } = call.tally;
    const grant = makeGrant(owed);
    for (const account of this.#accounts.list(call)) {
      const claim = account.budget.unit !== "calls" && reserve(grant, account, nowMs, true);
      // A per-call limit covers all deliveries of the call's result.
      if (claim && !claim.hold) claim.extraAmount = toAmount(account, tokens - owed, noCost);
    }
    return grant;
  }

  #decideRepeated(repeated: Repeated, context: DecisionContext): Decision {
    const grant = this.#doubted.get(repeated.call) ?? this.#grants.get(repeated.call);
    return grant ? decideRepeated(repeated, grant, context, this.#options.saveAnswer) : forward;
  }

  #decideUnreadable(unreadable: Unreadable, context: DecisionContext): Decision {
    const { redelivery } = unreadable;
    const doubted = [...this.#doubted].map(([call, grant]): AwaitedGrant => [grant, call]);
    const awaited = [...this.#awaited, ...doubted];
    if (!redelivery) return decideUnreadable(unreadable, awaited, context);
    const grant = this.#takeGrant(redelivery) ?? this.#grantRedelivery(redelivery, context.nowMs);
    const decision = decideUnreadable(unreadable, [...awaited, [grant, redelivery]], context);
    if (decision.kind === "pending") this.#grants.set(redelivery, grant);
    else if (decision.kind !== "forward") release(grant);
    return decision;
  }
}

function updateTally(call: Call, mostTokens: number): void {
  const { tally } = call;
  tally.tokens = call.isRedelivery ? tally.tokens + mostTokens - tally.owed : mostTokens;
  tally.owed = 0;
}

export type Gated = Requested | Closed | Repeated | Unreadable;

/** Makes a new grant for this answer, because the client may read it instead of the earlier answer. */
export function decideRepeated(
  repeated: Repeated,
  earlier: Grant,
  context: DecisionContext,
  saveAnswer: SaveAnswer,
): Decision {
  const { nowMs, reader } = context;
  const reservations = earlier.claims.map(({ account }) => ({
    account,
    cost: noCost,
    hold: undefined,
    extraAmount: 0,
  }));
  if (askForAnswer(reservations, boundClosedTokens(repeated, reader), context))
    return pendingDecision;
  const grant = makeGrant(0);
  for (const { account } of earlier.claims) {
    if (gatesAnswers(account)) reserve(grant, account, nowMs, true);
  }
  const withoutAsking = { ...context, mayAsk: false };
  const decision = decideAnswer({ ...repeated, kind: "closed" }, grant, withoutAsking, saveAnswer);
  if (decision.kind === "refuse" || decision.kind === "unsettled") release(grant);
  return decision;
}
