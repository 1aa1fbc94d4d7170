import { describe, expect, spyOn, test } from "bun:test";
import { recordsSavedTogether, Observer } from "#transport/proxy/observer.ts";
import { noEffects } from "#meter/session/decider.ts";
import { Meter } from "#meter/session/meter.ts";
import type { MeterRecord } from "#records/record.ts";
import type { Line } from "#wire/line.ts";
import { gateOf } from "../../support/decisions.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { goldenReader } from "../../support/eras.ts";
import { meterOptions } from "../../support/play.ts";
import { call, textResult } from "../../support/rpc.ts";
import { eventually } from "../../support/wait.ts";

const toLine = (message: object): Line => {
  const bytes = bytesOf(`${JSON.stringify(message)}\n`);
  return { bytes, size: bytes.length, skim: undefined };
};

function observed(options: Parameters<typeof meterOptions>[0] = {}) {
  const records: MeterRecord[] = [];
  const failures: string[] = [];
  const meter = new Meter(meterOptions(options));
  const observer = new Observer(meter, {
    record: (record) => records.push(record),
    failed: (where, what) => failures.push(`${where}: ${what}`),
    dropped: () => 7,
  });
  return { records, failures, meter, observer };
}

const types = (records: readonly MeterRecord[]) => records.map(({ type }) => type);

describe("Observer", () => {
  test("hands on what the meter makes of each line, and completes it at the end", async () => {
    const { records, observer } = observed();
    observer.judgeLine("client", toLine(call(1, "echo")));
    observer.judgeLine("server", toLine(textResult(1, "Hi")));
    expect(types(records)).toEqual(["session", "call"]);
    await observer.finish({ code: 3 });
    expect(records.at(-1)).toMatchObject({
      type: "end",
      exit_code: 3,
      signal: null,
      dropped_records: 7,
    });
  });

  test("gives all consequences of a message of HTTP to its exchange, and inserts no line", async () => {
    const { observer } = observed({ gate: gateOf(["echo=0"]) });
    const inserted: string[] = [];
    observer.connect((to) => void inserted.push(to));
    const at = { monoMs: 0, wallMs: 0 };
    const exchange = { number: 1, isStateless: true };
    const from = "client";
    const line = toLine(call(1, "echo"));
    const effects = observer.decide({ from, line, at, exchange });
    expect(effects).toMatchObject({ passes: false, waits: false });
    expect(effects.toClient.map(textOf).join("")).toContain("was not run");
    expect(inserted).toEqual([]);
    observer.judgeLine("client", line, false);
    expect(inserted).toEqual(["client"]);
  });

  test("without time, lines that have passed are skipped and told of at the end, and others are kept back", async () => {
    const { records, observer } = observed();
    observer.judgeLine("client", toLine(call(1, "echo")));
    observer.judgeLine("server", toLine(textResult(1, "Hi")));
    observer.giveUp();
    const late = toLine(call(2, "echo"));
    expect(observer.judgeLine("client", late, true)).toBe(true);
    expect(observer.judgeLine("client", late, false)).toEqual([]);
    observer.skip(1_000);
    await observer.finish();
    expect(types(records)).toEqual(["session", "call", "fault", "end"]);
    expect(records[2]).toMatchObject({
      where: "the end",
      what: "not_judged",
      bytes: 1_000 + late.size,
    });
  });

  test("hands late effects of HTTP on, and says when the meter fails", () => {
    const { observer, meter } = observed();
    const log: string[] = [];
    observer.setDelayedReceiver({
      take: ({ exchange }) => void log.push(`decided ${exchange.number}`),
      fail: () => void log.push("failed"),
    });
    const exchange = { number: 3, isStateless: true };
    const delayed = [{ exchange, effects: noEffects }];
    const spy = spyOn(meter, "judge").mockReturnValueOnce({ ...noEffects, records: [], delayed });
    observer.endExchange(3, "cancelled");
    spy.mockImplementationOnce(() => {
      throw new RangeError("broken");
    });
    const at = { monoMs: 0, wallMs: 0 };
    const line = toLine(call(1, "echo"));
    expect(observer.decide({ from: "client", line, at, exchange })).toBe(noEffects);
    spy.mockRestore();
    expect(log).toEqual(["decided 3", "failed"]);
  });

  test("hands on exchanges of HTTP, and ends without an ending of the server", async () => {
    const { records, observer } = observed();
    const exchange = { number: 7, isStateless: true };
    const at = { monoMs: 0, wallMs: 0 };
    observer.decide({
      from: "client",
      line: toLine(call(1, "echo")),
      at,
      hasPassed: true,
      exchange,
    });
    observer.endExchange(7, "rpc_error");
    expect(records.at(-1)).toMatchObject({ type: "call", outcome: "rpc_error" });
    await observer.finish();
    expect(records.at(-1)).toMatchObject({ type: "end", exit_code: null, signal: null });
  });

  test("the records of many calls that are open at the end are saved while they are made", async () => {
    const calls = 5 * recordsSavedTogether;
    let [waiting, most] = [0, 0];
    const observer = new Observer(new Meter(meterOptions()), {
      record: () => (most = Math.max(most, (waiting += 1))),
      failed: () => undefined,
      save: () => (waiting = 0),
    });
    for (let id = 1; id <= calls; id += 1) observer.judgeLine("client", toLine(call(id, "echo")));
    await observer.finish({ code: 0 });
    expect(most).toBeGreaterThanOrEqual(recordsSavedTogether);
    expect(most).toBeLessThan(2 * recordsSavedTogether);
  });

  test("an answer that waits until it is counted is waited for; at the end it is dropped", async () => {
    const golden = goldenReader("o200k");
    const makeReader = () => golden("a client of its own");
    const { records, observer } = observed({ gate: gateOf(["1M/session"]), readerFor: makeReader });
    const outcomes: boolean[] = [];
    observer.setDelayedReceiver({
      take: ({ effects }) => outcomes.push(effects.passes),
      fail: () => undefined,
    });
    const exchange = { number: 1, isStateless: false };
    const at = { wallMs: 0, monoMs: 0 };
    const arrived = { at, exchange, hasPassed: false };
    const answer = toLine(textResult(1, "数据库连接失败。".repeat(20_000)));
    observer.decide({ from: "client", line: toLine(call(1, "read")), ...arrived });
    expect(observer.decide({ from: "server", line: answer, ...arrived }).waits).toBe(true);
    await observer.whenDecided();
    expect(outcomes).toEqual([true]);
    observer.decide({ from: "client", line: toLine(call(2, "read")), ...arrived });
    const second = toLine(textResult(2, "数据库连接失败。".repeat(20_000)));
    expect(observer.decide({ from: "server", line: second, ...arrived }).waits).toBe(true);
    const end = observer.finish();
    expect(outcomes).toEqual([true, false]);
    await end;
    const calls = records.filter(({ type }) => type === "call");
    expect(calls).toMatchObject([{ outcome: "ok" }, { outcome: "abandoned" }]);
  });

  test("what waits for the disk at the end is waited for before it is called lost", async () => {
    const records: MeterRecord[] = [];
    let waiting = 0;
    const observer = new Observer(new Meter(meterOptions()), {
      record: (record) => (waiting = records.push(record)),
      failed: () => undefined,
      dropped: () => waiting,
      flush: async () => {
        await Bun.sleep(1);
        waiting = 0;
      },
    });
    observer.judgeLine("client", toLine(call(1, "echo")));
    observer.judgeLine("server", toLine(textResult(1, "Hi")));
    await observer.finish({ code: 0 });
    expect(records.at(-1)).toMatchObject({ type: "end", dropped_records: 0 });
  });

  test("a goodbye of the client puts the sums so far on the disk, before it returns", async () => {
    const records: MeterRecord[] = [];
    const saved: number[] = [];
    const leaving = new Observer(new Meter(meterOptions()), {
      record: (record) => records.push(record),
      failed: () => undefined,
      save: () => saved.push(records.length),
      dropped: (isEnd) => (isEnd ? 5 : 2),
    });
    leaving.saveNow();
    expect(records).toEqual([]);
    leaving.judgeLine("client", toLine(call(1, "echo")));
    leaving.judgeLine("server", toLine(textResult(1, "Hi")));
    leaving.saveNow();
    expect(types(records)).toEqual(["session", "call", "end"]);
    expect(saved.at(-1)).toBe(3);
    expect(records.at(-1)).toMatchObject({ exit_code: null, calls: 1, dropped_records: 2 });
    leaving.saveNow();
    expect(records).toHaveLength(3);
    await leaving.finish({ code: 0 });
    expect(records.at(-1)).toMatchObject({ type: "end", exit_code: 0, seq: 3, dropped_records: 5 });
    leaving.saveNow();
    expect(records).toHaveLength(4);
  });

  test("a checkpoint that cannot be saved is reported, and neither traffic nor budgets notice", async () => {
    const records: MeterRecord[] = [];
    const failures: string[] = [];
    const observer = new Observer(new Meter({ ...meterOptions(), isAnnotating: true }), {
      record: (record) => records.push(record),
      failed: (where, what) => failures.push(`${where}: ${what}`),
      save: () => {
        throw new RangeError("secret");
      },
    });
    observer.judgeLine("client", toLine(call(1, "echo")));
    observer.judgeLine("server", toLine(textResult(1, "Hi")));
    observer.saveNow();
    expect(failures).toEqual(["a checkpoint: RangeError", "a checkpoint: RangeError"]);
    expect(observer.holds("server")).toBe(true);
    await observer.finish({ code: 0 });
    expect(records.at(-1)).toMatchObject({ type: "end", exit_code: 0, observer_faults: 0 });
  });

  test("a server killed by a signal has no code", async () => {
    const { records, observer } = observed();
    observer.judgeLine("client", toLine(call(1, "echo")));
    await observer.finish({ signal: "SIGKILL" });
    expect(records.at(-1)).toMatchObject({ type: "end", exit_code: null, signal: "SIGKILL" });
  });

  test("long counts go on by themselves", async () => {
    const { records, observer, meter } = observed();
    observer.judgeLine("client", toLine(call(1, "echo", { text: "x".repeat(300_000) })));
    observer.judgeLine("client", toLine(call(2, "echo")));
    for (const id of [1, 2])
      observer.judgeLine("server", toLine(textResult(id, "y".repeat(300_000))));
    await eventually("an empty backlog", () => meter.backlog === 0);
    expect(types(records).filter((type) => type === "call")).toHaveLength(2);
  });

  test("a meter that fails is told, recorded once, and goes on", async () => {
    let calls = 0;
    const hash = (text: string): string => {
      calls += 1;
      if (calls <= 2) throw new RangeError(`secret ${text}`);
      return "0".repeat(64);
    };
    const { records, failures, observer } = observed({ hash });
    for (const id of [1, 2, 3]) {
      observer.judgeLine("client", toLine(call(id, "echo")));
      observer.judgeLine("server", toLine(textResult(id, "Hi")));
    }
    await observer.finish({ code: 0 });
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every((failure) => failure.endsWith(": RangeError"))).toBe(true);
    expect(types(records).filter((type) => type === "fault")).toHaveLength(1);
    expect(records.at(-1)).toMatchObject({ type: "end", observer_faults: failures.length });
    expect(JSON.stringify(records)).not.toContain("secret");
  });

  test("a record that its taker refuses does not reach the traffic", async () => {
    const failures: string[] = [];
    const observer = new Observer(new Meter(meterOptions()), {
      record: () => {
        throw new TypeError("no room");
      },
      failed: (where, what) => failures.push(`${where}: ${what}`),
    });
    observer.judgeLine("client", toLine(call(1, "echo")));
    observer.judgeLine("server", toLine(textResult(1, "Hi")));
    await observer.finish({ code: 0 });
    expect(failures[0]).toBe("a line of the server: TypeError");
  });

  describe("of a session under a budget", () => {
    const gate = gateOf(["echo=5"]);
    const long = toLine(textResult(1, "far more than five tokens, whoever counts them"));

    function askCounter(hasPassed: boolean) {
      const session = observed({ gate });
      const inserted: string[] = [];
      session.observer.connect((to, line) => inserted.push(`${to} ${textOf(line)}`));
      session.observer.judgeLine("client", toLine(call(1, "echo")), hasPassed);
      return { ...session, inserted };
    }

    test("what goes instead of a held line is handed back, what goes the other way is inserted", () => {
      const { observer, inserted } = askCounter(false);
      const replacement = observer.judgeLine("server", long, false);
      expect(Array.isArray(replacement) && textOf(replacement[0])).toContain("was withheld");
      expect(inserted).toEqual([]);
      const payload = { payload: "so many that no server ever hears of them" };
      expect(observer.judgeLine("client", toLine(call(2, "echo", payload)), false)).toEqual([]);
      expect(inserted).toMatchObject([expect.stringContaining("client")]);
    });

    test("what has passed is answered once, recorded as passed, and charged", async () => {
      const { observer, inserted, records } = askCounter(true);
      expect(observer.judgeLine("server", long, true)).toBe(true);
      await observer.finish({ code: 0 });
      expect(inserted).toEqual([]);
      expect(records.filter(({ type }) => type === "breach")).toMatchObject([
        { is_enforced: false, did_run: true },
      ]);
    });
  });

  test("asks for time while much waits to be counted, and then has room again", async () => {
    const { observer, backlogIs } = backlogged();
    const room = observer.whenCaughtUp();
    expect(room).toBeInstanceOf(Promise);
    expect(observer.whenCaughtUp()).toBe(room);
    backlogIs.large = false;
    await room;
    expect(observer.whenCaughtUp()).toBeUndefined();
  });

  test("makes nobody wait for a meter that cannot count", async () => {
    const { observer, meter } = backlogged();
    spyOn(meter, "judge").mockImplementation(() => {
      throw new Error("broken");
    });
    await observer.whenCaughtUp();
  });

  test("hurried: makes nobody wait, and has too much priced by its length at once", async () => {
    const { observer, meter, backlogIs } = backlogged();
    const judge = spyOn(meter, "judge");
    const settled = (): number => judge.mock.calls.filter(([{ kind }]) => kind === "settle").length;
    const room = observer.whenCaughtUp();
    observer.hurry();
    await room;
    expect([settled(), observer.whenCaughtUp(), meter.backlog]).toEqual([1, undefined, 0]);
    observer.judgeLine("client", toLine(call(3, "echo")));
    expect(settled()).toBe(2);
    backlogIs.large = false;
    observer.judgeLine("client", toLine(call(4, "echo")));
    expect(settled()).toBe(2);
  });

  test("makes nobody wait at the end", async () => {
    const { observer } = backlogged();
    const room = observer.whenCaughtUp();
    const finished = observer.finish({ code: 0 });
    await room;
    expect(observer.whenCaughtUp()).toBeUndefined();
    await finished;
  });
});

function backlogged() {
  const { observer, meter } = observed();
  const backlogIs = { large: true };
  Object.defineProperty(meter, "isBehind", { get: () => backlogIs.large });
  for (const id of [1, 2]) observer.judgeLine("client", toLine(call(id, "echo")));
  observer.judgeLine("server", toLine([1, 2].map((id) => textResult(id, "y".repeat(300_000)))));
  expect(meter.backlog).toBeGreaterThan(0);
  return { observer, meter, backlogIs };
}
