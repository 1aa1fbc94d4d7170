import { describe, expect, test } from "bun:test";
import type { HttpExchange } from "#meter/calls/call.ts";
import { Meter } from "#meter/session/meter.ts";
import type { MeterEvent } from "#meter/session/event.ts";
import type { MeterRecord } from "#records/record.ts";
import { MemoryCounters } from "#state/stores/memory.ts";
import { LineSplitter } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import { gateOf } from "../../support/decisions.ts";
import { DeferredCounters } from "../../support/deferred-counters.ts";
import { textOf } from "../../support/bytes.ts";
import { meterOptions } from "../../support/play.ts";
import { call, notification, request, textResult } from "../../support/rpc.ts";

const noon = Date.UTC(2026, 8, 1, 12);

class Patient {
  readonly server: string[] = [];
  readonly client: string[] = [];
  readonly records: MeterRecord[] = [];
  readonly late: string[] = [];
  readonly #counters = new DeferredCounters();
  readonly #meter: Meter;
  readonly #splitters = { client: new LineSplitter(), server: new LineSplitter() };

  constructor(...specs: readonly string[]) {
    const stores = { session: new MemoryCounters(), shared: this.#counters };
    const gate = gateOf(specs, { stores });
    this.#meter = new Meter(meterOptions({ gate }));
  }

  says(from: Side, message: object, exchange?: HttpExchange): this {
    const line = JSON.stringify(message);
    for (const one of this.#splitters[from].push(Buffer.from(`${line}\n`))) {
      const passes = this.step({ kind: "line", from, line: one, hasPassed: false, exchange });
      if (passes) (from === "client" ? this.server : this.client).push(`${line}\n`);
    }
    return this;
  }

  answer(): this {
    this.#counters.answer(() => this.step({ kind: "counters-answered" }));
    return this;
  }

  get isAsking(): boolean {
    return this.#meter.hasPendingLines;
  }

  step(event: Untimed): boolean {
    const judgement = this.#meter.judge({ ...event, at: { wallMs: noon, monoMs: 0 } });
    this.records.push(...judgement.records);
    this.server.push(...judgement.toServer.map(textOf));
    this.client.push(...judgement.toClient.map(textOf));
    for (const { exchange, effects } of judgement.delayed) {
      const ours = effects.toClient.map(textOf).join("");
      this.late.push(`${exchange.number}: ${effects.passes ? "passes" : ours || "dropped"}`);
    }
    return judgement.passes;
  }
}

type Untimed = MeterEvent extends infer One
  ? One extends MeterEvent
    ? Omit<One, "at">
    : never
  : never;

const idsOf = (lines: readonly string[]): readonly unknown[] =>
  lines.map((line) => JSON.parse(line).id);

describe("a request under a counter that has to be asked", () => {
  test("waits for the answer, while all else passes", () => {
    const play = new Patient("1calls/day")
      .says("client", call(1, "echo", {}))
      .says("client", request(2, "ping"))
      .says("client", notification("notifications/progress"));
    expect(idsOf(play.server)).toEqual([2, undefined]);
    expect(play.isAsking).toBe(true);
    play.answer();
    expect(idsOf(play.server)).toEqual([2, undefined, 1]);
    expect(play.isAsking).toBe(false);
  });

  test("is refused when the answer leaves no room", () => {
    const play = new Patient("1calls/day")
      .says("client", call(1, "echo", {}))
      .says("client", call(2, "echo", {}))
      .answer();
    expect([idsOf(play.server), idsOf(play.client)]).toEqual([[1], [2]]);
  });

  test("that is cancelled meanwhile does not reach the server", () => {
    const play = new Patient("9calls/day")
      .says("client", call(1, "echo", {}))
      .says("client", notification("notifications/cancelled", { requestId: 1 }))
      .answer();
    expect(play.server.filter((line) => line.includes("tools/call"))).toEqual([]);
  });

  test("waits for no counter of another tool", () => {
    const play = new Patient("other=1calls/day").says("client", call(1, "echo", {}));
    expect(idsOf(play.server)).toEqual([1]);
  });

  test("that passes in any case waits for none", () => {
    const play = new Patient("1calls/day:warn", "9/session").says("client", call(1, "echo", {}));
    expect(idsOf(play.server)).toEqual([1]);
  });

  test("is abandoned when the server ends first", () => {
    const play = new Patient("9calls/day").says("client", call(1, "echo", {}));
    play.step({ kind: "close" });
    expect(play.isAsking).toBe(false);
    expect(play.server).toEqual([]);
    expect(play.records.find(({ type }) => type === "call")).toMatchObject({
      outcome: "abandoned",
    });
  });
});

const asked = (spec: string): Patient =>
  new Patient(spec).says("client", call(1, "echo", {})).answer();

describe("an answer under a counter that has to be asked", () => {
  test("waits for the answer of the counter, while all else passes", () => {
    const play = asked("100/day")
      .says("server", textResult(1, "done"))
      .says("server", notification("notifications/progress"));
    expect(idsOf(play.client)).toEqual([undefined]);
    play.answer();
    expect(idsOf(play.client)).toEqual([undefined, 1]);
  });

  test("is withheld when the answer leaves no room", () => {
    const play = asked("8/day").says(
      "server",
      textResult(1, "one two three four five six ".repeat(9)),
    );
    expect(play.client).toEqual([]);
    play.answer();
    expect(play.client.join("")).toContain("ran, but its answer was withheld");
  });

  test("is not overtaken by a further answer to the same call", () => {
    const rejected = { ...textResult(1, "first"), surplus: 1 };
    const play = asked("1000/day")
      .says("server", rejected)
      .says("server", textResult(1, "second"))
      .answer();
    while (play.isAsking) play.answer();
    expect(play.client.map((line) => line.includes("first"))).toEqual([true, false]);
  });
});

const exchange = (number: number, isStateless = true) => ({ number, isStateless });

describe("messages of HTTP under a counter that has to be asked", () => {
  test("get their fates one by one, each for its own exchange, though ids are the same", () => {
    const play = new Patient("1calls/day")
      .says("client", call(1, "echo", {}), exchange(7))
      .says("client", call(1, "echo", {}), exchange(8));
    expect([play.server, play.late]).toEqual([[], []]);
    play.answer();
    expect(play.server).toEqual([]);
    expect(play.late[0]).toBe("7: passes");
    expect(play.late[1]).toStartWith('8: {"jsonrpc":"2.0","id":1,');
    expect(play.late[1]).toContain("was not run");
  });

  test("answers, too", () => {
    const play = new Patient("30/day")
      .says("client", call(1, "echo", {}), exchange(7))
      .answer()
      .says("server", textResult(1, "one two three four five six ".repeat(9)), exchange(7));
    expect(play.late).toEqual(["7: passes"]);
    play.answer();
    expect(play.late[1]).toContain("ran, but its answer was withheld");
  });

  test("go nowhere when their exchange is over, and their calls end with it", () => {
    const play = new Patient("9calls/day")
      .says("client", call(1, "echo", {}), exchange(7))
      .says("client", call(2, "echo", {}), exchange(8));
    play.step({ kind: "exchange-end", exchange: 7, outcome: "cancelled" });
    expect(play.late).toEqual(["7: dropped"]);
    play.answer();
    expect(play.late).toEqual(["7: dropped", "8: passes"]);
    expect(play.records.filter(({ type }) => type === "call")).toMatchObject([
      { request_id: 1, outcome: "cancelled" },
    ]);
  });

  test("are cancelled by a message of the same session, and not by one of another exchange without", () => {
    const cancelled = notification("notifications/cancelled", { requestId: 1 });
    const stateless = new Patient("9calls/day")
      .says("client", call(1, "echo", {}), exchange(7))
      .says("client", cancelled, exchange(8))
      .answer();
    expect(stateless.late).toEqual(["7: passes"]);
    const session = new Patient("9calls/day")
      .says("client", call(1, "echo", {}), exchange(7, false))
      .says("client", cancelled, exchange(8, false))
      .answer();
    expect(session.late).toEqual(["7: dropped"]);
  });

  test("all go nowhere at the end of a session", () => {
    const play = new Patient("9calls/day").says("client", call(1, "echo", {}), exchange(7));
    play.step({ kind: "close" });
    expect(play.late).toEqual(["7: dropped"]);
  });
});
