import { recordUnclearMessage } from "../budgets/breaches.ts";
import { Gate } from "../budgets/gate.ts";
import { forward } from "../budgets/decision.ts";
import {
  type Arrival,
  copyLine,
  plainCarrier,
  type Call,
  type Instant,
  type Closing,
  type Closed,
  type Repeated,
  type Requested,
  type Transition,
  type Unreadable,
} from "../calls/call.ts";
import { Tracker } from "../calls/tracker.ts";
import { LockGuard } from "#lock/lock-guard.ts";
import { trimsLists } from "#lock/hidden-tools.ts";
import type { RecordBody } from "#records/record.ts";
import type { Side, Message, OpaqueMessage, SingleMessage } from "#wire/message.ts";
import { isUnfinishedMessage, parseMessage } from "#wire/parse-message.ts";
import type { Line } from "#wire/line.ts";
import { Annotator } from "./annotator.ts";
import { ListTrimmer, makeListFollower } from "./follow-lists.ts";
import {
  Decider,
  type DecisionOptions,
  decidePending,
  decideHeld,
  dropMessages,
  type DecideFunctions,
  type Effects,
  waiting,
  withhold,
  mergeBatchEffects,
  noEffects,
  mergeEffects,
  makeJudgement,
  type Judgement,
} from "./decider.ts";
import type { CheckpointEvent, EndEvent, LineEvent, MeterEvent, MeterOptions } from "./event.ts";
import { type EndFacts, Journal, makeEndBody } from "./journal.ts";
import {
  makeAnswerLine,
  type AnswerTarget,
  replaceAnswer,
  type OurAnswer,
  makeRefusal,
  makeUnclearLineError,
} from "../actions/refusal.ts";
import { countingSliceCharacters } from "./charge.ts";

/** Equal events give equal records. Callers let lines wait while `isBehind`, and send `work` while `backlog` > 0. */
export class Meter {
  readonly #options: MeterOptions;
  readonly #tracker: Tracker;
  readonly #gate: Gate | undefined;
  readonly #journal: Journal;
  readonly #decider: Decider;
  readonly #annotator: Annotator | undefined;
  readonly #trimmer: ListTrimmer | undefined;
  readonly #followList: ReturnType<typeof makeListFollower>;
  readonly #bytes = { client: 0, server: 0 };
  // If true, a text that two parsers may read differently counts as opaque.
  readonly #isGuarded: boolean;
  readonly #decideFunctions: DecideFunctions = {
    request: (...args) => this.#decideRequest(...args),
    answer: (...args) => this.#decideAnswer(...args),
    possibleAnswer: (...args) => this.#decidePossibleAnswer(...args),
  };
  #hasUnfinishedMessage = false;
  #isClosed = false;
  #isEnded = false;

  constructor(options: MeterOptions) {
    this.#options = options;
    const { gate, serverLabel, serverLabelFallback, hash } = options;
    this.#gate =
      gate && new Gate(gate, gate.counterOwner ?? serverLabel ?? serverLabelFallback, hash);
    this.#isGuarded = this.#gate?.guardsAnswers === true;
    this.#tracker = new Tracker(hash, () => this.#journal.mayReadChannels);
    this.#journal = new Journal(options, this.#gate);
    const lock = gate?.isLockEnforced
      ? new LockGuard(options.lock ?? { tools: [] }, hash)
      : undefined;
    this.#annotator = options.isAnnotating
      ? new Annotator(() => this.#journal.reader, options.listPrices)
      : undefined;
    this.#trimmer =
      options.trim && trimsLists(options.trim)
        ? new ListTrimmer(options.trim, (body, at) => this.#journal.addBodies([body], at))
        : undefined;
    this.#followList = makeListFollower({ lock, trimmer: this.#trimmer });
    this.#decider = new Decider(this.#gate, this.#journal, lock);
  }

  holds(from: Side): boolean {
    if (from === "client") return this.#gate?.holdsRequests === true;
    const editsAnswers = this.#annotator !== undefined || this.#trimmer !== undefined;
    return editsAnswers || this.#gate?.holdsAnswers === true;
  }

  get wakeAtMs(): number | undefined {
    return this.#gate?.mayWaitForRefill ? this.#decider.held.wakeAtMs : undefined;
  }

  get backlog(): number {
    return this.#journal.backlog + this.#decider.ceilingCounts.backlog;
  }

  // If true, further lines should wait: memory would otherwise grow without limit.
  get isBehind(): boolean {
    return this.#journal.isBehind || this.#decider.pending.isFull;
  }

  get hasPendingLines(): boolean {
    return !this.#decider.pending.isEmpty;
  }

  get foreignLineCount(): number {
    return this.#tracker.opaqueLines.server;
  }

  judge(event: MeterEvent): Judgement {
    if (this.#isEnded) return makeJudgement(this.#decider.decideAfterEnd(event), []);
    const effects = event.kind === "work" ? this.#work(event.at) : this.#take(event);
    // A held line waits for this judgement, so its texts are counted later.
    const isHeldLine = event.kind === "line" && event.hasPassed === false;
    if (event.kind !== "work") this.#journal.count(isHeldLine ? 0 : countingSliceCharacters);
    if (event.kind === "settle") this.#journal.settle();
    if (event.kind === "end") this.#end(event);
    if (event.kind === "checkpoint") this.#checkpoint(event);
    return makeJudgement(effects, this.#journal.takeRecords());
  }

  #take(event: MeterEvent): Effects {
    switch (event.kind) {
      case "line":
        return this.#takeLine(event);
      case "eof":
      case "wake":
        return decideHeld(this.#decider, this.#decideFunctions, event);
      case "counters-answered":
        return decidePending(this.#decider, this.#decideFunctions, event.at);
      case "fault": {
        const { kind, at, ...facts } = event;
        this.#journal.addBodies([{ type: kind, ...facts }], at);
        return noEffects;
      }
      case "exchange-end":
        return this.#endExchange(event);
      case "redirected":
        return this.#forgetExchange(event.exchange, event.at);
      case "close":
      case "end":
        return this.#close(event.at);
      default:
        return noEffects;
    }
  }

  #forgetExchange(exchange: number, at: Instant): Effects {
    const sentElsewhere = this.#tracker.endExchange({ exchange, outcome: "abandoned" }, at.monoMs);
    for (const ended of sentElsewhere) {
      this.#followList?.(ended, at);
      this.#gate?.forget(ended.call);
    }
    return noEffects;
  }

  #endExchange(event: Extract<MeterEvent, { readonly kind: "exchange-end" }>): Effects {
    const { outcome, at } = event;
    if (outcome === "cancelled") this.#gate?.forgetAnswers();
    this.#finishAll(this.#tracker.endExchange(event, at.monoMs), at);
    return this.#dropMessages(event, outcome, at);
  }

  #work(at: Instant): Effects {
    const decider = this.#decider;
    const isCeilingCounted = decider.ceilingCounts.advance(countingSliceCharacters);
    this.#journal.count(countingSliceCharacters);
    const isSettled = decider.awaitsCounts && this.#journal.backlog === 0;
    if (isSettled) decider.awaitsCounts = false;
    return isCeilingCounted || isSettled
      ? decidePending(decider, this.#decideFunctions, at)
      : noEffects;
  }

  #takeLine(event: LineEvent): Effects {
    const { from, line, at, hasPassed = false, exchange } = event;
    const guarded = this.#isGuarded && !hasPassed ? from : undefined;
    const message = this.#read(line, from, guarded);
    if (message.kind !== "opaque") this.#journal.begin(at);
    const { size } = line;
    this.#bytes[from] += size;
    const arrival = { from, line, item: undefined, size, hasPassed, atMs: at.monoMs, exchange };
    if (message.kind !== "batch") return this.#takeMessage(message, arrival, at);
    if (message.omitted > 0 && guarded === "client") {
      const unclear = { kind: "opaque", reason: "not-rpc", expectsAnswer: true } as const;
      return this.#rejectUnclear(unclear, arrival, at);
    }
    if (message.omitted > 0 && from === "server") {
      // Elements beyond the limit were not parsed, and may be answers.
      const effects = this.#decidePossibleAnswer({ kind: "unreadable", arrival }, at, {
        mayAsk: false,
      });
      if (!effects.passes) return effects;
    }
    const share = Math.floor(size / message.items.length);
    const items = message.items.map((element, item) =>
      this.#takeMessage(element, { ...arrival, item, size: share }, at),
    );
    return mergeBatchEffects(items, message.omitted > 0, event);
  }

  // Clients in Go parse a stream, not lines: a line may continue a message that an earlier line left unfinished.
  #read(line: Line, from: Side, guarded: Side | undefined): Message {
    const message = parseMessage(line, this.#journal.makeParseOptions(from, guarded));
    if (guarded !== "server" || message.kind !== "opaque" || message.reason === "blank") {
      return message;
    }
    this.#hasUnfinishedMessage ||= isUnfinishedMessage(line);
    return this.#hasUnfinishedMessage ? { ...message, mayHoldMessage: true } : message;
  }

  #takeMessage(message: SingleMessage, arrival: Arrival, at: Instant): Effects {
    if (message.kind === "request") this.#journal.noteRequest(message.method, message.params, at);
    const transitions = this.#tracker.take(message, arrival);
    for (const transition of transitions) {
      if (transition.kind !== "requested") continue;
      transition.call.isForApp = this.#journal.isForApp(transition.call);
    }
    if (message.kind === "opaque" && this.#isUnclear(message, arrival)) {
      return this.#rejectUnclear(message, arrival, at);
    }
    return mergeEffects(transitions.map((transition) => this.#follow(transition, at)));
  }

  // An opaque UTF-8 line from the server is not rejected here: the line may be an answer, and the gate decides.
  #isUnclear({ reason }: OpaqueMessage, { from, hasPassed }: Arrival): boolean {
    if (!this.#isGuarded || hasPassed) return false;
    return reason === "not-utf-8" || (from === "client" && reason !== "blank");
  }

  #rejectUnclear(message: OpaqueMessage, arrival: Arrival, at: Instant): Effects {
    this.#journal.begin(at);
    this.#tracker.mayBeProbe = false;
    this.#journal.addBodies([recordUnclearMessage(arrival)], at);
    return withhold(makeUnclearLineError(message, arrival));
  }

  #follow(transition: Transition, at: Instant): Effects {
    this.#followList?.(transition, at);
    this.#gate?.followTransition(transition);
    switch (transition.kind) {
      case "requested":
        return this.#decideRequest(transition, at);
      case "answered":
        if (transition.call.from === "client") {
          this.#journal.noteAnswer(transition.call, transition.result, at);
        }
        return noEffects;
      case "closed":
        return this.#decideAnswer(transition, at);
      case "repeated":
      case "unreadable":
        return this.#decidePossibleAnswer(transition, at);
      case "unexpected":
        return this.#decider.decideUnexpected(transition.isLate);
      case "withdrawn":
        return this.#dropMessages({ id: transition.id.value }, "cancelled", at);
    }
  }

  #decideRequest(requested: Requested, at: Instant, options?: DecisionOptions): Effects {
    const { call, arrival } = requested;
    const decision = this.#decider.decide(requested, at, options);
    switch (decision.kind) {
      case "refuse": {
        const refusal = call.id && makeRefusal(call, decision.facts, this.#style);
        this.#finish(call, { outcome: "refused", ...refusal, endedMs: at.monoMs }, at);
        if (!refusal) return withhold();
        return withhold(
          this.#makeAnswerLine(call, refusal, { arrival, carrier: plainCarrier }, at),
        );
      }
      case "hold": {
        const bytes = copyLine(arrival) ?? new Uint8Array();
        const sinceMs = options?.held?.sinceMs ?? at.monoMs;
        this.#decider.held.add({ call, bytes, sinceMs, untilMs: decision.untilMs });
        return waiting;
      }
      case "pending":
        return waiting;
      default:
        this.#finishAll(this.#tracker.open(call, at.monoMs), at);
        return noEffects;
    }
  }

  #decideAnswer(closed: Closed, at: Instant, options?: DecisionOptions): Effects {
    const { call, closing, answer } = closed;
    const decision = answer ? this.#decider.decide(closed, at, options) : forward;
    if (decision.kind === "pending") return waiting;
    if (!answer || decision.kind === "forward") {
      this.#finish(call, closing, at);
      const edited =
        this.#trimmer?.edit(closed, at) ?? this.#annotator?.annotateServerAnswer(closed, at);
      return edited ? withhold(edited) : noEffects;
    }
    const ours = replaceAnswer(call, decision, this.#style);
    const { outcome, endedMs, result, error } = closing;
    const isRefused = decision.kind !== "replace";
    const replacement = { ...ours, outcome: isRefused ? "refused" : outcome, endedMs } as const;
    this.#finish(call, { ...replacement, replaced: { result, error } }, at);
    return ours ? withhold(this.#makeAnswerLine(call, ours, answer, at)) : withhold();
  }

  #makeAnswerLine(call: Call, ours: OurAnswer, position: AnswerTarget, at: Instant): Uint8Array {
    return makeAnswerLine(
      this.#annotator?.annotateOurAnswer(call, ours, position, at) ?? ours,
      position,
      call.latestId,
    );
  }

  #decidePossibleAnswer(
    transition: Repeated | Unreadable,
    at: Instant,
    options?: DecisionOptions,
  ): Effects {
    const decision = this.#decider.decide(transition, at, options);
    if (decision.kind === "forward") {
      const trimmed = transition.kind === "repeated" && this.#trimmer?.edit(transition, at);
      return trimmed ? withhold(trimmed) : noEffects;
    }
    if (decision.kind === "pending") return waiting;
    if (transition.kind === "unreadable" || !transition.answer) return withhold();
    const ours = replaceAnswer(transition.call, decision, this.#style);
    return ours
      ? withhold(makeAnswerLine(ours, transition.answer, transition.call.latestId))
      : withhold();
  }

  get #style(): { readonly form: "tool" | "rpc"; readonly isModern: boolean } {
    return { form: this.#options.errorForm ?? "tool", isModern: this.#journal.isModern };
  }

  #dropMessages(
    selection: Parameters<typeof dropMessages>[1],
    outcome: Closing["outcome"],
    at: Instant,
  ): Effects {
    const { calls, effects } = dropMessages(this.#decider, selection);
    for (const call of calls) this.#finish(call, { outcome, endedMs: at.monoMs }, at);
    return effects;
  }

  #finish(call: Call, closing: Closing, at: Instant): void {
    const isUncharged = closing.outcome === "cancelled" || closing.outcome === "refused";
    if (isUncharged) this.#gate?.release(call);
    this.#journal.recordCall(call, closing, at);
  }

  #finishAll(closed: readonly Closed[], at: Instant): void {
    for (const ended of closed) {
      this.#followList?.(ended, at);
      this.#finish(ended.call, ended.closing, at);
    }
  }

  #close(at: Instant): Effects {
    if (this.#isClosed || !this.#journal.started) return noEffects;
    this.#isClosed = true;
    const effects = this.#dropMessages("all", "abandoned", at);
    this.#finishAll(this.#tracker.end(at.monoMs), at);
    this.#journal.recordPending(this.#tracker.mayBeProbe, at);
    return effects;
  }

  #end(event: EndEvent): void {
    this.#isEnded = true;
    this.#journal.end((sums) => this.#makeEndBody(event, sums), event.at);
  }

  // Records a provisional end: the server still runs, so it has no exit code or signal.
  #checkpoint(event: CheckpointEvent): void {
    const soFar = { ...event, kind: "end", exitCode: null, signal: null } as const;
    this.#journal.checkpoint((sums) => this.#makeEndBody(soFar, sums), event.at);
  }

  #makeEndBody(event: EndEvent, sums: EndFacts["sums"]): RecordBody {
    const began = this.#journal.started ?? event.at;
    const budgets = this.#gate?.listStates(event.at.wallMs) ?? [];
    return makeEndBody(event, { began, bytes: this.#bytes, tracker: this.#tracker, sums, budgets });
  }
}
