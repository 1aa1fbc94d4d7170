import { describe, expect, test } from "bun:test";
import { actions } from "#actions/index.ts";
import { parseBudget } from "#budgets/budget-spec.ts";
import { Meter } from "#session/meter.ts";
import type { MeterEvent } from "#session/event.ts";
import type { MeterRecord } from "#records/record.ts";
import { MemoryCounters } from "#stores/memory.ts";
import { LineSplitter } from "#wire/line.ts";
import type { Side } from "#wire/side.ts";
import { AskedCounters } from "../support/asked-counters.ts";
import { textOf } from "../support/bytes.ts";
import { meterOptions } from "../support/play.ts";
import { call, notification, request, textResult } from "../support/rpc.ts";

const noon = Date.UTC(2026, 8, 1, 12);

/** A session whose daily counters have to be asked: the lines that pass, by the side that gets them. */
class Patient {
  readonly server: string[] = [];
  readonly client: string[] = [];
  readonly records: MeterRecord[] = [];
  readonly #counters = new AskedCounters();
  readonly #meter: Meter;
  readonly #splitters = { client: new LineSplitter(), server: new LineSplitter() };

  constructor(...specs: readonly string[]) {
    const gate = {
      budgets: specs.map((spec) => parseBudget(spec, actions)),
      actions,
      stores: { session: new MemoryCounters(), shared: this.#counters },
      warnAtPercent: 80,
      repeatsMax: undefined,
      isLockEnforced: false,
      keep: () => undefined,
    };
    this.#meter = new Meter(meterOptions({ gate }));
  }

  says(from: Side, message: object): this {
    const line = JSON.stringify(message);
    for (const one of this.#splitters[from].push(Buffer.from(`${line}\n`))) {
      const passes = this.step({ kind: "line", from, line: one, hasPassed: false });
      if (passes) (from === "client" ? this.server : this.client).push(`${line}\n`);
    }
    return this;
  }

  /** The counters answer everything that they were asked. */
  answer(): this {
    this.#counters.answer(() => this.step({ kind: "answered" }));
    return this;
  }

  get isAsking(): boolean {
    return this.#meter.isAsking;
  }

  step(event: Untimed): boolean {
    const judgement = this.#meter.judge({ ...event, at: { wallMs: noon, monoMs: 0 } });
    this.records.push(...judgement.records);
    this.server.push(...judgement.toServer.map(textOf));
    this.client.push(...judgement.toClient.map(textOf));
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
