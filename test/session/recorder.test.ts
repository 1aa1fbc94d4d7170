import { describe, expect, test } from "bun:test";
import { backlogCharactersMax, waitingRecordsMax } from "#limits.ts";
import { Bill } from "#cost/bill.ts";
import type { Draft } from "#session/draft.ts";
import type { RecordBody } from "#records/record.ts";
import { Recorder } from "#session/recorder.ts";
import { sessionRecord } from "../support/made-records.ts";
import { plainReader } from "../support/plain-reader.ts";

const reader = plainReader(undefined);
const {
  schema_version: _v,
  ts: _t,
  session_id: _s,
  seq: _q,
  server: _n,
  ...session
} = sessionRecord();
const at = (monoMs: number) => ({ monoMs, wallMs: Date.UTC(2026, 0, 1) + monoMs });
const fault = (what: string): RecordBody => ({ type: "fault", where: "a test", what });

/** A draft that says what its text cost, and whether it was read. */
function counted(text: string): Draft {
  const bill = new Bill({ count: (of) => of.length });
  let cost = 0;
  bill.add(text, (tokens) => (cost += tokens));
  return { bill, finish: (isUnread) => fault(`${cost}${isUnread ? " unread" : ""}`) };
}

function opened(): Recorder {
  const recorder = new Recorder("id", "fallback");
  recorder.open("garden", reader, session, at(0));
  return recorder;
}

const whats = (records: readonly { type: string; what?: string }[]) =>
  records.map((record) => record.what ?? record.type);

describe("Recorder", () => {
  test("nothing comes out before the session opens, then the session comes first", () => {
    const recorder = new Recorder("id", "fallback");
    recorder.add(() => fault("early"), at(1));
    expect([recorder.work(100), recorder.isOpen, recorder.hasBegun]).toEqual([[], false, true]);
    recorder.open("garden", reader, session, at(5));
    const records = recorder.work(100);
    expect(whats(records)).toEqual(["session", "early"]);
    expect(records.map(({ seq, server, session_id: id }) => [seq, server, id])).toEqual([
      [0, "garden", "id"],
      [1, "garden", "id"],
    ]);
  });

  test("each record tells when its cause ended, not when it was counted", () => {
    const recorder = opened();
    recorder.add(() => counted("x".repeat(50)), at(7));
    const times = recorder.work(100).map(({ ts }) => ts);
    expect(times).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.007Z"]);
  });

  test("records come out in the order of their causes, whatever they cost", () => {
    const recorder = opened();
    recorder.add(() => counted("x".repeat(300)), at(1));
    recorder.add(() => fault("free"), at(2));
    recorder.add(() => counted("abc"), at(3));
    expect(whats([...recorder.work(1), ...recorder.work(1_000)])).toEqual([
      "session",
      "300",
      "free",
      "3",
    ]);
  });

  test("the backlog is what is left to count, and 0 when nothing is", () => {
    const recorder = opened();
    recorder.add(() => counted("abc"), at(1));
    recorder.add(() => fault("free"), at(1));
    expect(recorder.backlog).toBe(3 + 2);
    recorder.work(100);
    expect(recorder.backlog).toBe(0);
  });

  test("settling completes everything at once, what is uncounted by its length and flagged", () => {
    const recorder = opened();
    recorder.add(() => counted("abc"), at(1));
    recorder.add(() => counted("x".repeat(300)), at(1));
    recorder.add(() => fault("free"), at(1));
    recorder.work(1);
    expect(whats(recorder.settle())).toEqual(["75 unread", "free"]);
    expect([recorder.backlog, recorder.settle()]).toEqual([0, []]);
  });

  test("what does not fit into the backlog is priced by its length and flagged", () => {
    const recorder = opened();
    recorder.add(() => counted("x".repeat(backlogCharactersMax)), at(1));
    recorder.add(() => counted("y".repeat(8)), at(2));
    expect(recorder.backlog).toBe(backlogCharactersMax + 2);
    expect(whats(recorder.work(Number.POSITIVE_INFINITY))).toEqual([
      "session",
      String(backlogCharactersMax),
      "2 unread",
    ]);
  });

  test("the backlog may be full to the last character", () => {
    const recorder = opened();
    recorder.add(() => counted("x".repeat(backlogCharactersMax)), at(1));
    expect(whats(recorder.work(Number.POSITIVE_INFINITY))).toEqual([
      "session",
      String(backlogCharactersMax),
    ]);
  });

  test(`${waitingRecordsMax} records wait for the session, then it must open`, () => {
    const recorder = new Recorder("id", "fallback");
    const full = Array.from({ length: waitingRecordsMax }, () => {
      recorder.add(() => fault("early"), at(1));
      return recorder.isFull;
    });
    expect([full.filter(Boolean).length, full.at(-1)]).toEqual([1, true]);
  });

  test("a session opens once", () => {
    const recorder = opened();
    recorder.open("other", reader, session, at(9));
    expect(recorder.work(1).map(({ server }) => server)).toEqual(["garden"]);
  });
});

/** A draft whose record is followed by another. */
const followed = (what: string): Draft => ({
  ...counted(what),
  finish: () => fault(what),
  follow: (body) => [fault(`after ${body.type === "fault" ? body.what : ""}`)],
});

test("Recorder: what follows a record comes right behind it, counted or settled", () => {
  const recorder = opened();
  recorder.add(() => followed("a"), at(1));
  recorder.add(() => fault("b"), at(1));
  const done = recorder.work(10);
  recorder.add(() => followed("c"), at(2));
  const all = [...done, ...recorder.settle()];
  expect(whats(all)).toEqual(["session", "a", "after a", "b", "c", "after c"]);
  expect(all.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
});
