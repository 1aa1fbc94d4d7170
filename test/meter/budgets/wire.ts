import { actions } from "#meter/actions/index.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import type { SavedAnswer } from "#meter/budgets/decision.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import type { MeterEvent } from "#meter/session/event.ts";
import type { Judgement } from "#meter/session/decider.ts";
import { Meter } from "#meter/session/meter.ts";
import { MemoryCounters } from "#state/stores/memory.ts";
import type { BudgetState, MeterRecord } from "#records/record.ts";
import type { Side } from "#wire/message.ts";
import { LineSplitter } from "#wire/line.ts";
import { textOf } from "../../support/bytes.ts";
import { DeferredCounters } from "../../support/deferred-counters.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { meterOptions } from "../../support/play.ts";

export type Setting = {
  readonly budgets: readonly Budget[];
  readonly errorForm: "tool" | "rpc";
  readonly repeatsMax: number | undefined;
  readonly notesRepeats?: boolean;
  readonly client: string;
  readonly tokenizer: "chars3" | "words";
  readonly observedMax: number;
  readonly isAsked: boolean;
  readonly canKeep: boolean;
  readonly callPrices: CallPrices;
};

export type Arrival = { readonly text: string; readonly atMs: number };

export class Wire {
  readonly toServer: Arrival[] = [];
  readonly toClient: Arrival[] = [];
  readonly records: MeterRecord[] = [];
  readonly kept: string[] = [];
  nowMs = Date.UTC(2026, 8, 1, 12);
  readonly #meter: Meter;
  readonly #asked: DeferredCounters | undefined;
  readonly #splitters: { readonly client: LineSplitter; readonly server: LineSplitter };

  constructor(setting: Setting) {
    const { observedMax, canKeep, client, tokenizer, errorForm, isAsked, ...rules } = setting;
    const saveAnswer = ({ text }: SavedAnswer): string | undefined => {
      if (canKeep) this.kept.push(text);
      return canKeep ? "/spills/1" : undefined;
    };
    this.#asked = isAsked ? new DeferredCounters() : undefined;
    const shared = this.#asked ?? new MemoryCounters();
    const stores = { session: new MemoryCounters(), shared };
    const fixed = { actions, stores, saveAnswer, warnAtPercent: 80, isLockEnforced: false };
    const gate = { ...rules, ...fixed };
    const readerFor = () => plainReader(client, tokenizer);
    this.#meter = new Meter(meterOptions({ readerFor, gate, errorForm }));
    this.#splitters = {
      client: new LineSplitter(),
      server: new LineSplitter(observedMax),
    };
  }

  say(from: Side, text: string): void {
    const hasPassed = !this.#meter.holds(from);
    if (hasPassed) this.#arrive(from, text);
    for (const line of this.#splitters[from].push(Buffer.from(`${text}\n`))) {
      const { passes } = this.#judge({ kind: "line", from, line, hasPassed });
      if (passes && !hasPassed) this.#arrive(from, text);
      this.#answer();
    }
  }

  later(ms: number): void {
    this.nowMs += ms;
    const wakeAtMs = this.#meter.wakeAtMs ?? Infinity;
    if (wakeAtMs <= this.nowMs) this.#judge({ kind: "wake" });
    this.#answer();
  }

  work(): void {
    this.#judge({ kind: "work" });
  }

  #answer(): void {
    while (this.#meter.hasPendingLines)
      this.#asked?.answer(() => this.#judge({ kind: "counters-answered" }));
  }

  /** Both sides have said everything; returns the counters, none when nothing was said. */
  end(): readonly BudgetState[] {
    this.#judge({ kind: "eof" });
    this.#answer();
    while (this.#meter.backlog > 0) this.work();
    const ending = { exitCode: 0, signal: null, droppedRecords: 0, observerFaults: 0 };
    this.#judge({ kind: "close" });
    this.#judge({ kind: "end", ...ending });
    const end = this.records.at(-1);
    if (end && end.type !== "end") throw new Error("a session ends with its end");
    return end?.budgets ?? [];
  }

  #judge(event: Untimed): Judgement {
    const at = { wallMs: this.nowMs, monoMs: this.nowMs };
    const judgement = this.#meter.judge({ ...event, at });
    this.records.push(...judgement.records);
    for (const line of judgement.toServer) this.#arrive("client", textOf(line).slice(0, -1));
    for (const line of judgement.toClient) this.#arrive("server", textOf(line).slice(0, -1));
    return judgement;
  }

  #arrive(from: Side, text: string): void {
    (from === "client" ? this.toServer : this.toClient).push({ text, atMs: this.nowMs });
  }
}

type Untimed = MeterEvent extends infer One
  ? One extends MeterEvent
    ? Omit<One, "at">
    : never
  : never;
