import { expect, test } from "bun:test";
import type { PublishedRecord } from "#transport/forwarder/published-reader.ts";
import { makeSharedMemory, wordIndex } from "#transport/forwarder/shared-memory.ts";
import { JudgeFeed } from "#transport/proxy/thread-forwarding.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { eventually } from "../../support/wait.ts";

const noBytes = bytesOf("");

function following() {
  const memory = makeSharedMemory();
  const records: (PublishedRecord | Error)[] = [];
  const log: string[] = [];
  const times: number[] = [];
  const rests: number[] = [];
  let room: PromiseWithResolvers<void> | undefined;
  const feed = new JudgeFeed({
    memory,
    reader: {
      next: () => {
        const next = records.shift();
        if (next instanceof Error) throw next;
        return next;
      },
      truncateSpool: () => rests.push(log.length) > 0,
    },
    judge: {
      judgeLine: (from, { bytes }, hasPassed, at) => {
        log.push(`${from} ${textOf(bytes ?? noBytes).trimEnd()}${hasPassed ? "" : " held"}`);
        if (at) times.push(at.monoMs);
        return true;
      },
      whenCaughtUp: () => room?.promise,
      noteEof: () => void log.push("eof"),
      skip: (bytes) => void log.push(`skipped ${bytes}`),
      noteFault: (where, what) => void log.push(`${where}: ${what}`),
    },
  });
  const pass = (from: PublishedRecord["from"], text: string, atMs = 0): void =>
    void records.push({ from, bytes: bytesOf(text), isCut: false, atMs });
  const end = (from: PublishedRecord["from"], isCut = false): void =>
    void records.push({ from, bytes: undefined, isCut, atMs: 0 });
  const block = (): PromiseWithResolvers<void> => (room = Promise.withResolvers<void>());
  const unblock = (): void => {
    room?.resolve();
    room = undefined;
  };
  const isAsleep = (): boolean => Atomics.load(memory.words, wordIndex.wantsWakeUp) === 1;
  return { feed, memory, records, log, times, rests, pass, end, block, unblock, isAsleep };
}

test("lines are judged in the order of their bytes, with the time of their arrival; then it sleeps", async () => {
  const { feed, log, times, rests, pass, isAsleep, memory } = following();
  expect(isAsleep()).toBe(true);
  pass("client", "one\ntw", 10);
  pass("server", "answer\n", 20);
  pass("client", "o\n", 30);
  Atomics.store(memory.words, wordIndex.wantsWakeUp, 0);
  await feed.catchUp(1_000);
  expect(log).toEqual(["client one", "server answer", "client two"]);
  expect(times).toEqual([10, 20, 30]);
  expect(rests).toEqual([3]);
  expect(isAsleep()).toBe(true);
});

test("ends: the rest of a line is judged, and a cut one is not; the client's end comes after its lines", async () => {
  const { feed, log, pass, end } = following();
  pass("client", "whole\nrest");
  end("client");
  pass("server", "late\n");
  end("server");
  await feed.finish({ isClientLeaving: false });
  expect(log).toEqual(["client whole", "client rest", "eof", "server late"]);
  const second = following();
  second.pass("client", "cut of");
  second.end("client", true);
  await second.feed.finish({ isClientLeaving: false });
  expect(second.log).toEqual(["eof"]);
  await second.feed.finish({ isClientLeaving: true });
  expect(second.log).toEqual(["eof", "skipped 6"]);
});

test("without room lines wait, in order", async () => {
  const { feed, log, pass, block, unblock } = following();
  block();
  pass("client", "1 is {a method\n2 is {a method\n");
  feed.wake();
  pass("server", "3 is {a method\n");
  feed.wake();
  await Bun.sleep(20);
  expect(log).toEqual([]);
  unblock();
  await eventually("the lines", () => log.length === 3);
  expect(log).toEqual(["client 1 is {a method", "client 2 is {a method", "server 3 is {a method"]);
});

test("catchUp gives up after its time, and the rest is judged later", async () => {
  const { feed, log, pass, block, unblock } = following();
  block();
  pass("client", "late\n");
  await feed.catchUp(20);
  expect(log).toEqual([]);
  unblock();
  await feed.finish({ isClientLeaving: false });
  expect(log).toEqual(["client late"]);
});

test("without time what has passed is skipped, the begun line included", async () => {
  const { feed, log, pass, end } = following();
  pass("server", "judged\nbegun");
  await feed.catchUp(1_000);
  feed.giveUp();
  pass("server", " and ended\n");
  end("client");
  await feed.finish({ isClientLeaving: false });
  expect(log).toEqual(["server judged", "skipped 16"]);
});

test("a spool that cannot be read stops the judging, is recorded, and stops no traffic", async () => {
  const { feed, log, records, pass, memory } = following();
  pass("client", "before\n");
  records.push(new RangeError("quotes the traffic"));
  await feed.catchUp(1_000);
  expect(log).toEqual(["client before", "the forwarded lines: RangeError"]);
  expect(Atomics.load(memory.words, wordIndex.hasJudgeFailed)).toBe(1);
});
