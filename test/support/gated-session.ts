import type { SaveAnswer } from "#meter/budgets/decision.ts";
import type { MeterOptions } from "#meter/session/event.ts";
import type { Judgement } from "#meter/session/decider.ts";
import { hidesTools, isHiddenTool, noTrim, type TrimRules } from "#lock/hidden-tools.ts";
import { Meter } from "#meter/session/meter.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import type { Side } from "#wire/message.ts";
import { skimBytes } from "#wire/skimmer.ts";
import { gateOf } from "./decisions.ts";
import { bytesOf, textOf } from "./bytes.ts";
import { meterOptions } from "./play.ts";

type GatedSessionOptions = {
  readonly errorForm?: "tool" | "rpc";
  readonly repeatsMax?: number;
  readonly notesRepeats?: boolean;
  readonly lock?: MeterOptions["lock"];
  readonly saveAnswer?: SaveAnswer;
  readonly readerFor?: MeterOptions["readerFor"];
  readonly isAnnotating?: boolean;
  readonly trim?: TrimRules;
};

export class GatedSession {
  readonly meter: Meter;
  readonly records: MeterRecord[] = [];
  readonly toServer: string[] = [];
  readonly toClient: string[] = [];
  nowMs = 0;
  shiftMs = 0;

  constructor(specs: readonly string[], options: GatedSessionOptions = {}) {
    const { trim = noTrim } = options;
    this.meter = new Meter(
      meterOptions({
        lock: options.lock,
        ...(options.readerFor && { readerFor: options.readerFor }),
        errorForm: options.errorForm ?? "tool",
        isAnnotating: options.isAnnotating ?? false,
        trim,
        gate: gateOf(specs, {
          repeatsMax: options.repeatsMax,
          notesRepeats: options.notesRepeats ?? false,
          isLockEnforced: options.lock !== undefined,
          ...(hidesTools(trim) && { isHidden: (tool) => isHiddenTool(trim, tool) }),
          ...(options.saveAnswer && { saveAnswer: options.saveAnswer }),
        }),
      }),
    );
  }

  client(...messages: readonly object[]): this {
    for (const message of messages) this.#say("client", JSON.stringify(message));
    return this;
  }

  server(...messages: readonly object[]): this {
    for (const message of messages) this.#say("server", JSON.stringify(message));
    return this;
  }

  /** A line of the server as it is written; `isKept` is false for one that is too long to keep. */
  serverLine(text: string, isKept = true): this {
    this.#say("server", text, isKept);
    return this;
  }

  clientLine(text: string, isKept = true): this {
    this.#say("client", text, isKept);
    return this;
  }

  wake(): this {
    this.#take(this.meter.judge({ kind: "wake", at: this.#at() }));
    return this;
  }

  end(): this {
    const ending = { exitCode: 0, signal: null, droppedRecords: 0, observerFaults: 0 };
    while (this.meter.backlog > 0) this.#take(this.meter.judge({ kind: "work", at: this.#at() }));
    this.#take(this.meter.judge({ kind: "close", at: this.#at() }));
    this.#take(this.meter.judge({ kind: "end", ...ending, at: this.#at() }));
    return this;
  }

  get calls(): CallRecord[] {
    return this.records.filter((record) => record.type === "call");
  }

  #say(from: Side, text: string, isKept = true): void {
    const bytes = bytesOf(`${text}\n`);
    const line = isKept
      ? { bytes, size: bytes.length, skim: undefined }
      : { bytes: undefined, size: bytes.length, skim: skimBytes(bytes) };
    const judgement = this.meter.judge({ kind: "line", from, line, at: this.#at() });
    if (judgement.passes) (from === "client" ? this.toServer : this.toClient).push(text);
    this.#take(judgement);
  }

  #take({ records, toClient, toServer }: Judgement): void {
    this.records.push(...records);
    for (const line of toClient) this.toClient.push(textOf(line).trimEnd());
    for (const line of toServer) this.toServer.push(textOf(line).trimEnd());
  }

  #at() {
    return { monoMs: this.nowMs, wallMs: Date.UTC(2026, 8, 1) + this.nowMs + this.shiftMs };
  }
}
