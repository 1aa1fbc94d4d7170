import { describe, expect, test } from "bun:test";
import { Meter } from "#meter/session/meter.ts";
import type { MeterEvent } from "#meter/session/event.ts";
import type { MeterRecord } from "#records/record.ts";
import type { Side } from "#wire/message.ts";
import { textOf } from "../../support/bytes.ts";
import { gateOf } from "../../support/decisions.ts";
import { goldenReader } from "../../support/eras.ts";
import { meterOptions } from "../../support/play.ts";
import { call, request, textResult } from "../../support/rpc.ts";

const golden = goldenReader("o200k");
const unknown = () => golden("a client of its own");
const stateful = { number: 1, isStateless: false };
const other = { number: 2, isStateless: false };

type Untimed = MeterEvent extends infer Event
  ? Event extends MeterEvent
    ? Omit<Event, "at">
    : never
  : never;

class Weighed {
  readonly records: MeterRecord[] = [];
  readonly client: string[] = [];
  works = 0;
  readonly #meter: Meter;
  readonly #exchange: typeof stateful | undefined;

  constructor(spec: string, exchange?: typeof stateful) {
    this.#meter = new Meter(meterOptions({ gate: gateOf([spec]), readerFor: unknown }));
    this.#exchange = exchange;
  }

  says(from: Side, message: object, exchange = this.#exchange): "passes" | "waits" | "ours" {
    const text = `${JSON.stringify(message)}\n`;
    const bytes = Buffer.from(text);
    const line = { bytes, size: bytes.length, skim: undefined };
    const judged = this.step({ kind: "line", from, line, hasPassed: false, exchange });
    if (judged.passes && from === "server") this.client.push(text);
    return judged.passes ? "passes" : judged.waits ? "waits" : "ours";
  }

  step(event: Untimed) {
    const judged = this.#meter.judge({ ...event, at: { wallMs: 0, monoMs: 0 } });
    this.records.push(...judged.records);
    this.client.push(...judged.toClient.map(textOf));
    for (const { effects } of judged.delayed) {
      this.client.push(...(effects.passes ? ["passes"] : effects.toClient.map(textOf)));
    }
    return judged;
  }

  work(): this {
    for (; this.#meter.backlog > 0; this.works += 1) this.step({ kind: "work" });
    return this;
  }

  get calls(): unknown {
    return this.records.filter(({ type }) => type === "call");
  }

  get spent(): unknown {
    this.step({ kind: "end", exitCode: 0, signal: null, droppedRecords: 0, observerFaults: 0 });
    return this.records.flatMap((record) => (record.type === "end" ? record.budgets : []));
  }
}

/** On stdio, the bound of a long answer is one by its bytes. */
function withoutBound(said: string): string {
  return said.replaceAll(/at most [\d,]+ tokens|"tokens":\d+/g, "");
}

const texts = {
  prose: "The quick brown fox jumps over the lazy dog. ".repeat(9_000),
  chinese: "数据库连接失败，请检查网络。".repeat(9_000),
  markup: "<a>&b</a> ".repeat(40_000),
};

describe("a long answer over HTTP", () => {
  test.each(Object.entries(texts))("%s has the effects that it has on stdio", (_, text) => {
    for (const spec of [
      "2000/session",
      "300k/session",
      "1M/session",
      "2M",
      "9M",
      "2000:truncate",
    ]) {
      const [alone, shared] = [new Weighed(spec), new Weighed(spec, stateful)];
      for (const one of [alone, shared]) {
        one.says("client", call(1, "read"));
        one.says("server", textResult(1, text));
        one.work();
      }
      const passed = `${JSON.stringify(textResult(1, text))}\n`;
      const given = shared.client.map((said) => (said === "passes" ? passed : said));
      expect([spec, given.map(withoutBound)]).toEqual([spec, alone.client.map(withoutBound)]);
      expect(shared.spent).toEqual(alone.spent);
      expect(given).toHaveLength(1);
    }
  });

  test("others pass while it waits, and it is counted in slices", () => {
    const shared = new Weighed("1M/session", stateful);
    shared.says("client", call(1, "read"));
    expect(shared.says("server", textResult(1, texts.chinese))).toBe("waits");
    expect(shared.says("client", request(2, "ping"), other)).toBe("passes");
    expect(shared.says("server", { jsonrpc: "2.0", id: 2, result: {} }, other)).toBe("passes");
    expect(shared.work().works).toBeGreaterThan(10);
    expect(shared.client.at(-1)).toBe("passes");
  });

  test("costs nothing when its client has left", () => {
    const shared = new Weighed("1M/session", stateful);
    shared.says("client", call(1, "read"));
    shared.says("server", textResult(1, texts.chinese));
    shared.step({ kind: "exchange-end", exchange: 1, outcome: "cancelled" });
    shared.work();
    expect(shared.client).toEqual([]);
    expect(shared.calls).toMatchObject([{ outcome: "cancelled" }]);
  });
});

test("what follows a long answer that has passed uncounted waits until it is counted", () => {
  const shared = new Weighed("4M/session", stateful);
  shared.says("client", call(1, "read"));
  expect(shared.says("server", textResult(1, texts.prose))).toBe("passes");
  shared.says("client", call(2, "read"), other);
  expect(shared.says("server", textResult(2, texts.prose), other)).toBe("waits");
  shared.work();
  expect(shared.client.at(-1)).toBe("passes");
});
