import { sha256 } from "#kit/os/hash.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { Ledger } from "#records/ledger.ts";
import type { MeterEvent, MeterOptions } from "#meter/session/event.ts";
import { Meter } from "#meter/session/meter.ts";
import { createDefinitionCache } from "#tokens/cost/count-definition.ts";
import type { CallRecord, EndRecord, ProtocolRecord, MeterRecord } from "#records/record.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { Summary } from "#records/summary.ts";
import { LineSplitter } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import { bytesOf } from "./bytes.ts";
import { plainReader } from "./plain-reader.ts";

export { sha256 };

export function meterOptions(changes: Partial<MeterOptions> = {}): MeterOptions {
  return {
    version: "0.0.0",
    sessionId: "session",
    command: "server",
    serverLabel: undefined,
    serverLabelFallback: "fallback",
    risk: riskThresholdsDefault,
    readerFor: (client) => plainReader(client),
    hash: sha256,
    definitionCache: createDefinitionCache(),
    ...changes,
  };
}

export class Play {
  readonly meter: Meter;
  readonly events: MeterEvent[] = [];
  readonly records: MeterRecord[] = [];
  readonly #splitters = { client: new LineSplitter(), server: new LineSplitter() };
  #monoMs = 0;

  constructor(changes: Partial<MeterOptions> = {}) {
    this.meter = new Meter(meterOptions(changes));
  }

  client(...messages: readonly object[]): this {
    for (const message of messages) this.raw("client", `${JSON.stringify(message)}\n`);
    return this;
  }

  server(...messages: readonly object[]): this {
    for (const message of messages) this.raw("server", `${JSON.stringify(message)}\n`);
    return this;
  }

  raw(from: Side, text: string | Uint8Array): this {
    const chunk = typeof text === "string" ? bytesOf(text) : text;
    for (const line of this.#splitters[from].push(chunk)) {
      this.step({ kind: "line", from, line, at: this.#at() });
    }
    return this;
  }

  later(ms: number): this {
    this.#monoMs += ms;
    return this;
  }

  fault(where: string, what: string): this {
    return this.step({ kind: "fault", where, what, at: this.#at() });
  }

  work(): this {
    while (this.meter.backlog > 0) this.step({ kind: "work", at: this.#at() });
    return this;
  }

  end(exitCode: number | null = 0): this {
    for (const from of ["client", "server"] as const) {
      const line = this.#splitters[from].end();
      if (line) this.step({ kind: "line", from, line, at: this.#at() });
    }
    const ending = { exitCode, signal: null, droppedRecords: 0, observerFaults: 0 };
    this.work();
    return this.step({ kind: "end", ...ending, at: this.#at() });
  }

  step(event: MeterEvent): this {
    this.events.push(event);
    this.records.push(...this.meter.judge(event).records);
    return this;
  }

  get calls(): CallRecord[] {
    return this.records.filter((record) => record.type === "call");
  }

  get protocol(): ProtocolRecord[] {
    return this.records.filter((record) => record.type === "protocol");
  }

  get ending(): EndRecord {
    const found = this.records.find((record) => record.type === "end");
    if (!found) throw new Error("the session has not ended");
    return found;
  }

  get summary(): Summary {
    return summaryOf(this.records);
  }

  #at() {
    return { monoMs: this.#monoMs, wallMs: Date.UTC(2026, 8, 1) + this.#monoMs };
  }
}

export function summaryOf(records: readonly MeterRecord[], prices?: PriceBook): Summary {
  const ledger = new Ledger(prices);
  for (const record of records) ledger.add(record);
  return ledger.summarize();
}
