import {
  Outbox,
  type Insert,
  type Judge,
  LazyJudge,
  LineScheduler,
} from "#transport/proxy/judge.ts";
import { describe, expect, test } from "bun:test";
import { Lane } from "#transport/proxy/pump-forwarding.ts";
import { OverflowFile } from "#state/storage/scratch-paths.ts";
import type { Side } from "#wire/message.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { FakePipe } from "../../support/fake-pipe.ts";

function late(isGating: boolean, holds: (from: Side) => boolean = () => false) {
  const log: string[] = [];
  const times: number[] = [];
  const door = Promise.withResolvers<void>();
  const judge: Judge & { insert?: Insert } = {
    judgeLine: (from, { bytes }, hasPassed, at) => {
      log.push(`${from} ${hasPassed ? "passed" : "held"} ${textOf(bytes).trimEnd()}`);
      if (at) times.push(at.monoMs);
      return !textOf(bytes).startsWith("bad");
    },
    holds,
    whenCaughtUp: () => undefined,
    whenDecided: () => undefined,
    countPassed: () => undefined,
    noteEof: () => void log.push("eof"),
    noteFault: () => undefined,
    giveUp: () => void log.push("given up"),
    skip: (bytes) => void log.push(`skipped ${bytes}`),
    countUntil: () => undefined,
    hurry: () => void log.push("hurry"),
    saveNow: () => void log.push("interrupted"),
    connect: (insert) => {
      judge.insert = insert;
    },
  };
  let opened = 0;
  const failures: unknown[] = [];
  const subject = new LazyJudge({
    open: async () => {
      opened += 1;
      await door.promise;
      return judge;
    },
    isGating,
    failed: (error) => failures.push(error),
  });
  return { log, times, door, judge, subject, failures, opened: () => opened };
}

function makeLane(from: Side, judge: LazyJudge, scheduler: LineScheduler) {
  const pipe = new FakePipe();
  const overflow = new OverflowFile(() => "/nowhere/to/keep/it");
  return { pipe, lane: new Lane({ from, outbox: new Outbox(pipe), scheduler, judge, overflow }) };
}

const turn = async (): Promise<void> => {
  await new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
};

describe("a judge that is opened late, for open lanes", () => {
  test("is opened by the first whole line, once, and not by bytes before it", async () => {
    const { subject, opened, door } = late(false);
    expect(subject.whenReady()).toBeUndefined();
    const { lane } = makeLane("client", subject, new LineScheduler());
    void lane.push(bytesOf("no line y"));
    expect(opened()).toBe(0);
    for (const chunk of ["et\n", "b\n", "c\n"]) void lane.push(bytesOf(chunk));
    door.resolve();
    await turn();
    expect(opened()).toBe(1);
  });

  test("judges the lines of both sides in their order, after they have passed", async () => {
    const { subject, log, times, door } = late(false);
    const scheduler = new LineScheduler();
    const up = makeLane("client", subject, scheduler);
    const down = makeLane("server", subject, scheduler);
    void up.lane.push(bytesOf("1 is {a method\n2 is {a method\n"));
    void down.lane.push(bytesOf("3 is {a method\n"));
    void up.lane.push(bytesOf("4 is {a method\n5 is {a method"));
    void up.lane.end();
    await turn();
    expect([up.pipe.text, down.pipe.text, log]).toEqual([
      "1 is {a method\n2 is {a method\n4 is {a method\n5 is {a method",
      "3 is {a method\n",
      [],
    ]);
    expect(scheduler.isBusy).toBe(true);
    const openedMs = performance.now();
    door.resolve();
    await scheduler.whenIdle();
    expect(log).toEqual(
      ["1", "2", "3", "4", "5"].map(
        (text) => `${text === "3" ? "server" : "client"} passed ${text} is {a method`,
      ),
    );
    expect(times).toHaveLength(5);
    for (const time of times) expect(time).toBeLessThan(openedMs);
    void down.lane.push(bytesOf("6\n"));
    expect(log.at(-1)).toBe("server passed 6");
  });

  test("an unfinished line at the end opens it, and the end does not wait for it", async () => {
    const { subject, log, door } = late(false);
    const { lane, pipe } = makeLane("client", subject, new LineScheduler());
    void lane.push(bytesOf("torn"));
    expect(lane.end()).toBeUndefined();
    expect(pipe.text).toBe("torn");
    door.resolve();
    await turn();
    expect(log).toEqual(["client passed torn"]);
  });

  test("learns of the end and of signals after the lines before them, in their order", async () => {
    const { subject, log, door } = late(false);
    const scheduler = new LineScheduler();
    // On a busy machine, a turn may end between the two lines.
    Object.defineProperty(scheduler, "shouldYield", { value: false });
    const { lane } = makeLane("client", subject, scheduler);
    void lane.push(bytesOf("1 is {a method\n2 is {a method\n"));
    subject.noteEof();
    subject.saveNow();
    await turn();
    expect(log).toEqual([]);
    door.resolve();
    await turn();
    expect(log).toEqual([
      "client passed 1 is {a method",
      "client passed 2 is {a method",
      "eof",
      "interrupted",
    ]);
    subject.saveNow();
    expect(log.at(-1)).toBe("interrupted");
    expect(log).toHaveLength(5);
  });

  test("has the connection to insert lines with as soon as it is open", async () => {
    const { subject, judge, door } = late(false);
    const inserted: string[] = [];
    subject.connect((to, line) => void inserted.push(`${to} ${textOf(line)}`));
    void subject.whenCaughtUp();
    door.resolve();
    await turn();
    judge.insert?.("client", bytesOf("alert"));
    expect(inserted).toEqual(["client alert"]);
  });
});

describe("a judge that is opened late, for gated lanes", () => {
  test("is opened before the first byte is read, and then decides every line", async () => {
    const { subject, log, door } = late(true, () => true);
    let isReady = false;
    const ready = subject.whenReady()?.then(() => {
      isReady = true;
    });
    await turn();
    expect(isReady).toBe(false);
    door.resolve();
    await ready;
    const { lane, pipe } = makeLane("client", subject, new LineScheduler());
    void lane.push(bytesOf("good is {a method\nbad is {a method\n"));
    expect(pipe.text).toBe("good is {a method\n");
    expect(log).toEqual(["client held good is {a method", "client held bad is {a method"]);
  });
});

describe("a judge that cannot be opened", () => {
  for (const isGating of [false, true]) {
    test(`is reported once, and everything passes, ${isGating ? "gated" : "open"}`, async () => {
      const { subject, failures, door } = late(isGating, () => true);
      const scheduler = new LineScheduler();
      const { lane, pipe } = makeLane("client", subject, scheduler);
      const ready = subject.whenReady();
      if (!isGating) void lane.push(bytesOf("a\n"));
      subject.noteEof();
      door.reject(new TypeError("CANARY"));
      await ready;
      await turn();
      expect(scheduler.isBusy).toBe(false);
      for (const chunk of ["bad\n", "torn"]) void lane.push(bytesOf(chunk));
      void lane.end();
      subject.saveNow();
      subject.countPassed(1);
      expect(pipe.text).toBe(isGating ? "bad\ntorn" : "a\nbad\ntorn");
      expect(failures).toEqual([new TypeError("CANARY")]);
    });
  }
});
