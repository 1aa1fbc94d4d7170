import { countingSliceCharacters, nameCharactersMax } from "#limits.ts";
import type { Side } from "#wire/exchange.ts";
import { classify } from "#wire/message.ts";
import type { Line } from "#wire/line.ts";
import type { Call } from "./call.ts";
import { afterRequest, afterResult, strangers, type Conversation } from "./conversation.ts";
import { draftDefinitions, ToolList, type DefinitionPrices } from "./definitions.ts";
import { draftCall, type Closing } from "./draft.ts";
import type { Reader } from "./reader.ts";
import type { Record, RecordBody } from "./record.ts";
import { Recorder, type Instant, type Making } from "./recorder.ts";
import type { RiskThresholds } from "./risk.ts";
import { Traffic } from "./traffic.ts";

/** What the meter is told before the first line. */
export type MeterOptions = {
  readonly version: string;
  readonly sessionId: string;
  /** Basename of the server's command. */
  readonly command: string;
  /** Label the user gave the server; else its own name, else one derived from the command. */
  readonly serverLabel: string | undefined;
  readonly serverLabelFallback: string;
  readonly risk: RiskThresholds;
  /** Chooses who reads by the client's own name. */
  readonly readerFor: (clientName: string | undefined) => Reader;
  /** SHA-256 of a text, hexadecimal. */
  readonly hash: (text: string) => string;
  readonly prices: DefinitionPrices;
};

/** What happens to the meter; time comes with it. */
export type Event = { readonly at: Instant } & (
  | { readonly kind: "line"; readonly from: Side; readonly line: Line }
  /** Time to count. */
  | { readonly kind: "work" }
  | { readonly kind: "fault"; readonly where: string; readonly what: string }
  | {
      readonly kind: "end";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly droppedRecords: number;
      readonly observerFaults: number;
    }
);

/**
 * The judge: events in, records out. Knows no clock, no file and no chance, so the same events give the
 * same records. `backlog` above 0 asks for `work` events until it is 0.
 */
export class Meter {
  readonly #options: MeterOptions;
  readonly #recorder: Recorder;
  readonly #traffic: Traffic;
  readonly #tools = new ToolList();
  #conversation: Conversation = strangers;
  #now: Instant = { wallMs: 0, monoMs: 0 };
  #started: Instant | undefined;
  #isListRecorded = true;
  #calls = 0;
  #totalTokens = 0;

  constructor(options: MeterOptions) {
    this.#options = options;
    const { sessionId, serverLabel, serverLabelFallback, hash } = options;
    this.#recorder = new Recorder(sessionId, serverLabel ?? serverLabelFallback);
    this.#traffic = new Traffic(
      {
        requested: (method, params) => {
          this.#conversation = afterRequest(this.#conversation, method, params);
        },
        answered: (call, result) => this.#answered(call, result),
        closed: (call, closing) => this.#closed(call, { ...closing, endedMs: this.#now.monoMs }),
      },
      hash,
    );
  }

  /** Characters and records still to be counted. */
  get backlog(): number {
    return this.#recorder.isOpen ? this.#recorder.backlog : 0;
  }

  /** Lines of the server that were no JSON-RPC. */
  get foreignLines(): number {
    return this.#traffic.opaqueLines.server;
  }

  step(event: Event): readonly Record[] {
    this.#now = event.at;
    switch (event.kind) {
      case "line": {
        const message = classify(event.line);
        if (message.kind !== "opaque") this.#started ??= event.at;
        this.#traffic.take(event.from, message, event.line.size, event.at.monoMs);
        break;
      }
      case "fault":
        this.#add(() => ({ type: "fault", where: event.where, what: event.what }));
        break;
      case "end":
        return this.#end(event);
      case "work":
        break;
    }
    return this.#tally(this.#recorder.work(countingSliceCharacters));
  }

  #answered(call: Call, result: unknown): void {
    const { method, from } = call;
    if (from !== "client") return;
    const before = this.#conversation;
    this.#conversation = afterResult(before, method, result);
    if (this.#conversation.instructions !== before.instructions) this.#isListRecorded = false;
    if (method !== "tools/list") return;
    this.#tools.addPage(call.subject, result);
    this.#isListRecorded = false;
    if (this.#tools.isComplete) this.#recordList();
  }

  #closed(call: Call, closing: Closing): void {
    this.#add((reader) => draftCall(call, closing, reader, this.#options));
    // Whoever only asks what there is may be a probe, whose real session is another process.
    if (call.method !== "server/discover" || this.#recorder.isFull) this.#open();
  }

  #recordList(): void {
    const { instructions } = this.#conversation;
    const { tools, total, isComplete } = this.#tools;
    this.#isListRecorded = true;
    this.#add((reader) =>
      draftDefinitions({ tools, total, isComplete }, instructions, reader, this.#options),
    );
  }

  #end(event: Extract<Event, { kind: "end" }>): readonly Record[] {
    if (this.#started === undefined) return [];
    this.#traffic.end();
    if (!this.#recorder.isOpen && this.#traffic.isProbe) return [];
    if (!this.#isListRecorded) this.#recordList();
    this.#open();
    const counted = this.#recorder.work(countingSliceCharacters);
    const records = this.#tally([...counted, ...this.#recorder.settle()]);
    this.#recorder.add(() => this.#endBody(event), event.at);
    return [...records, ...this.#recorder.settle()];
  }

  #endBody(event: Extract<Event, { kind: "end" }>): RecordBody {
    const { bytes, opaqueLines, notifications, unknownAnswers, lateAnswers } = this.#traffic;
    return {
      type: "end",
      exit_code: event.exitCode,
      signal: event.signal,
      duration_ms: Math.round(event.at.monoMs - (this.#started ?? event.at).monoMs),
      client_bytes: bytes.client,
      server_bytes: bytes.server,
      calls: this.#calls,
      total_tokens: this.#totalTokens,
      notifications,
      opaque_client_lines: opaqueLines.client,
      opaque_server_lines: opaqueLines.server,
      unknown_answers: unknownAnswers,
      late_answers: lateAnswers,
      dropped_records: event.droppedRecords,
      observer_faults: event.observerFaults,
      budgets: [],
    };
  }

  #add(make: Making): void {
    this.#recorder.add(make, this.#now);
  }

  #tally(records: readonly Record[]): readonly Record[] {
    for (const record of records) {
      if (record.type !== "call") continue;
      this.#calls += 1;
      this.#totalTokens += record.total_tokens;
    }
    return records;
  }

  #open(): void {
    if (this.#recorder.isOpen) return;
    const { client, server, protocolVersion, era } = this.#conversation;
    const options = this.#options;
    const reader = options.readerFor(client?.name);
    const label = options.serverLabel ?? server?.name ?? options.serverLabelFallback;
    const session: RecordBody = {
      type: "session",
      meter_version: options.version,
      command: options.command,
      client_name: client?.name ?? null,
      client_version: client?.version ?? null,
      server_version: server?.version ?? null,
      protocol_version: protocolVersion ?? null,
      era: era ?? null,
      profile: reader.profile.id,
      model: reader.model,
      window: reader.windowTokens,
      is_estimated: reader.estimator.confidence !== "high",
      estimator: reader.estimator.id,
      estimation_method: reader.estimator.method,
      estimation_encoding: reader.estimator.encoding,
      estimation_error: reader.estimator.error,
      confidence: reader.estimator.confidence,
    };
    const began = this.#started ?? this.#now;
    this.#recorder.open(label.slice(0, nameCharactersMax), reader, session, began);
  }
}
