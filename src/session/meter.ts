import { countingSliceCharacters } from "#limits.ts";
import { keepElements } from "#wire/elements.ts";
import { otherSide, type Side } from "#wire/side.ts";
import type { Line } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { Alerts } from "./alerts.ts";
import { annotate } from "./annotation.ts";
import type { Call } from "#calls/call.ts";
import { asItIs, type Carrier } from "#calls/carrier.ts";
import { afterRequest, afterResult, strangers, type Conversation } from "#calls/conversation.ts";
import { draftDefinitions } from "#cost/definitions.ts";
import { ToolList } from "#cost/tool-list.ts";
import type { Closing } from "#calls/outcome.ts";
import { draftCall } from "./draft.ts";
import type { EndEvent, MeterEvent, Judgement, MeterOptions } from "./event.ts";
import { type EnforcerAround, enforcerOf } from "./enforcer.ts";
import type { Gate } from "#budgets/gate.ts";
import { type Gatekeeper, type Lines } from "#budgets/gatekeeper.ts";
import type { Place } from "#calls/place.ts";
import { ListWatch } from "./list-watch.ts";
import { ReaderChoice } from "./reader-choice.ts";
import type { MeterRecord, RecordBody } from "#records/record.ts";
import type { Instant } from "#calls/instant.ts";
import { type Making, Recorder } from "./recorder.ts";
import { endBody, labelOf, sessionBody } from "./session-bodies.ts";
import { settling } from "./settling.ts";
import { Totals } from "#records/totals.ts";
import { type Passage, Traffic } from "#calls/tracker.ts";

/**
 * The judge: events in, records out. Knows no clock, no file and no chance, so the same events give the
 * same records. `backlog` above 0 asks for `work` events until it is 0.
 */
export class Meter {
  readonly #options: MeterOptions;
  readonly #recorder: Recorder;
  readonly #traffic: Traffic;
  readonly #tools = new ToolList();
  readonly #alerts: Alerts;
  readonly #lists: ListWatch;
  readonly #gate: Gate | undefined;
  readonly #keeper: Gatekeeper | undefined;
  readonly #lines: Lines = { client: [], server: [] };
  readonly #reader: ReaderChoice;
  #line: Line = { bytes: undefined, size: 0, skim: undefined };
  #hasPassed = false;
  #early: MeterRecord[] = [];
  #isClosed = false;
  #isEnded = false;
  #conversation: Conversation = strangers;
  #now: Instant = { wallMs: 0, monoMs: 0 };
  #started: Instant | undefined;
  #isListRecorded = true;
  readonly #totals = new Totals();

  constructor(options: MeterOptions) {
    this.#options = options;
    this.#reader = new ReaderChoice(options.readerFor);
    this.#alerts = new Alerts(options);
    const { sessionId, serverLabel, serverLabelFallback, hash } = options;
    this.#recorder = new Recorder(sessionId, serverLabel ?? serverLabelFallback);
    this.#traffic = new Traffic(
      {
        requested: (method, params) => {
          this.#conversation = afterRequest(this.#conversation, method, params);
        },
        answered: (call, result) => this.#answered(call, result),
        admitted: (call) => this.#keeper?.admit(call, this.#place()) ?? true,
        cancelled: (id) => this.#keeper?.cancel(id.value),
        closed: (call, rawClosing, carrier) => {
          const closing = { ...rawClosing, endedMs: this.#now.monoMs };
          const instead = carrier && this.#delivered(call, closing, carrier);
          this.#closed(call, instead ?? closing);
          return instead === undefined && !(carrier === asItIs && this.#annotated(call, closing));
        },
      },
      hash,
    );
    this.#lists = new ListWatch(options);
    const enforcer = enforcerOf(options, this.#lists.lock, this.#surroundings(), this.#lines);
    this.#gate = enforcer?.gate;
    this.#keeper = enforcer?.keeper;
  }

  /** True when lines of that side must be judged before they pass. */
  holds(from: Side): boolean {
    if (from === "server" && this.#options.isAnnotating === true) return true;
    return this.#keeper?.holds(from) ?? false;
  }

  /** When to send a `wake` event, in wall-clock ms; undefined when nothing waits. */
  get wakeAtMs(): number | undefined {
    return this.#keeper?.wakeAtMs;
  }

  /** Characters and records still to be counted. */
  get backlog(): number {
    return this.#recorder.isOpen ? this.#recorder.backlog : 0;
  }

  /** Lines of the server that were no JSON-RPC. */
  get foreignLines(): number {
    return this.#traffic.opaqueLines.server;
  }

  /** The records that follow from an event, where nothing is enforced. */
  step(event: MeterEvent): readonly MeterRecord[] {
    return this.judge(event).records;
  }

  judge(event: MeterEvent): Judgement {
    if (this.#isEnded) return { records: [], passes: true, toClient: none, toServer: none };
    this.#isEnded = event.kind === "end";
    this.#now = event.at;
    const passage = event.kind === "line" ? this.#take(event) : "all";
    if (event.kind === "wake") this.#keeper?.wake();
    if (event.kind === "eof") this.#keeper?.lastCall();
    if (event.kind === "close") this.#close();
    if (event.kind === "fault") {
      this.#add(() => ({ type: "fault", where: event.where, what: event.what }));
    }
    // A held line goes on its way before it is counted.
    const isHeld = event.kind === "line" && event.hasPassed === false;
    const records = event.kind === "end" ? this.#end(event) : this.#work(isHeld ? 0 : undefined);
    if (typeof passage === "function" && event.kind === "line" && event.line.bytes) {
      this.#lines[otherSide(event.from)].push(keepElements(event.line.bytes, passage));
    }
    const { client, server } = this.#lines;
    return {
      records,
      passes: passage === "all",
      toClient: client.length === 0 ? none : client.splice(0),
      toServer: server.length === 0 ? none : server.splice(0),
    };
  }

  #take({ from, line, hasPassed = false }: LineEvent): Passage {
    const message = parseMessage(line);
    if (message.kind !== "opaque") this.#started ??= this.#now;
    this.#line = line;
    this.#hasPassed = hasPassed;
    return this.#traffic.take(from, message, line.size, this.#now.monoMs);
  }

  #surroundings(): EnforcerAround {
    return {
      reader: () => this.#reader.now(this.#conversation),
      isModern: () => this.#conversation.era === "modern",
      now: () => this.#now,
      closed: (call, closing) => this.#closed(call, closing),
      resumed: (call) => this.#traffic.resume(call),
      countAll: () => this.#early.push(...this.#recorder.work(Infinity)),
    };
  }

  #work(charactersMax: number = countingSliceCharacters): readonly MeterRecord[] {
    for (const body of this.#gate?.takeRecords() ?? []) this.#add(() => body);
    const early = this.#early.splice(0);
    const records = this.#recorder.work(charactersMax);
    return this.#totals.add(early.length === 0 ? records : [...early, ...records]);
  }

  #place(): Place {
    return { line: this.#line, item: this.#traffic.item, hasPassed: this.#hasPassed };
  }

  /** True when the client gets the answer with our member in it instead of the answer as it is. */
  #annotated(call: Call, closing: Closing): boolean {
    if (this.#options.isAnnotating !== true || call.from !== "client") return false;
    const annotated = annotate(call, closing, this.#place(), this.#reader.now(this.#conversation));
    if (annotated) this.#lines.client.push(annotated);
    return annotated !== undefined;
  }

  /** How a call closes instead, when the client must not get the answer as it is. */
  #delivered(call: Call, closing: Closing, carrier: Carrier): Closing | undefined {
    if (call.from !== "client" || !call.asked.isPriced) return undefined;
    return this.#keeper?.deliver(call, closing, this.#place(), carrier);
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
    for (const body of this.#gate?.takeRecords() ?? []) this.#add(() => body);
    this.#add((reader) => {
      const draft = draftCall(call, closing, reader, this.#options);
      const { wallMs } = this.#now;
      const charged = this.#gate ? settling(draft, call, closing, this.#gate, wallMs) : draft;
      return this.#alerts.watch(charged, reader, this.#tools);
    });
    // Whoever only asks what there is may be a probe, whose real session is another process.
    if (call.method !== "server/discover" || this.#recorder.isFull) this.#open();
  }

  #recordList(): void {
    const { instructions } = this.#conversation;
    const { tools, total, isComplete } = this.#tools;
    this.#isListRecorded = true;
    const follow = (body: RecordBody): RecordBody[] => this.#lists.see(body);
    this.#add((reader) => {
      const list = { tools, total, isComplete };
      const { bill, finish } = draftDefinitions(list, instructions, reader, this.#options);
      return {
        bill,
        finish: (isUnread) => ({ type: "definitions", ...finish(isUnread) }),
        follow,
      };
    });
  }

  #close(): void {
    if (this.#isClosed || this.#started === undefined) return;
    this.#isClosed = true;
    this.#keeper?.end();
    this.#traffic.end();
    if (!this.#recorder.isOpen && this.#traffic.isProbe) return;
    if (!this.#isListRecorded) this.#recordList();
    this.#open();
  }

  #end(event: EndEvent): readonly MeterRecord[] {
    this.#close();
    if (!this.#recorder.isOpen) return [];
    const counted = [...this.#work(), ...this.#totals.add(this.#recorder.settle())];
    for (const body of this.#gate?.takeRecords() ?? []) this.#add(() => body);
    const records = [...counted, ...this.#recorder.settle()];
    const budgets = this.#gate?.states(event.at.wallMs) ?? [];
    const began = this.#started ?? event.at;
    this.#recorder.add(() => endBody(event, began, this.#traffic, this.#totals, budgets), event.at);
    return [...records, ...this.#recorder.settle()];
  }

  #add(make: Making): void {
    this.#recorder.add(make, this.#now);
  }

  #open(): void {
    if (this.#recorder.isOpen) return;
    const reader = this.#reader.fix(this.#conversation);
    const session = sessionBody(this.#conversation, reader, this.#options);
    const label = labelOf(this.#conversation, this.#options);
    this.#recorder.open(label, reader, session, this.#started ?? this.#now);
  }
}

type LineEvent = Extract<MeterEvent, { kind: "line" }>;

const none: readonly Uint8Array[] = [];
