import { describe, expect, test } from "bun:test";
import {
  backlogBytesMax,
  waitingRecordBytes,
  waitingRecordsMax,
  type Finished,
  Recorder,
  type Entry,
} from "#meter/session/recorder.ts";
import type { MeterRecord } from "#records/record.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { meterOptions } from "../../support/play.ts";
import { callOf } from "../../support/made-calls.ts";

const reader = plainReader(undefined);
const at = (monoMs: number) => ({ monoMs, wallMs: Date.UTC(2026, 0, 1) + monoMs });
const fault = (what: string): Entry => ({
  kind: "body",
  body: { type: "fault", where: "a test", what },
});

function fail(): never {
  throw new Error("broken");
}

function answered(text: string): Entry {
  return {
    kind: "call",
    call: callOf({}),
    closing: { outcome: "ok", result: { content: [{ type: "text", text }] }, endedMs: 1 },
  };
}

function listed(names: readonly string[]): Entry {
  const facts = {
    total: names.length,
    isComplete: true,
    state: "complete",
    appOnlyTools: [],
  } as const;
  const tools = names.map((name) => ({ name }));
  return { kind: "definitions", list: { ...facts, tools }, instructions: undefined };
}

function closed(): Recorder {
  return new Recorder("id", meterOptions());
}

function opened(): Recorder {
  const recorder = closed();
  recorder.open("garden", reader);
  return recorder;
}

function counted(recorder: Recorder, charactersMax: number): Finished[] {
  const finished: Finished[] = [];
  recorder.countSlice(charactersMax, (one) => finished.push(one));
  return finished;
}

function settled(recorder: Recorder): Finished[] {
  const finished: Finished[] = [];
  recorder.settle((one) => finished.push(one));
  return finished;
}

const whats = (all: readonly Finished[]) =>
  all.map(({ record }) => {
    if (record.type === "fault") return record.what;
    return record.type === "call"
      ? `${record.output_tokens}${record.truncated ? " unread" : ""}`
      : "";
  });

const seqs = (records: readonly MeterRecord[]) => records.map(({ seq }) => seq);

describe("Recorder", () => {
  test("nothing is finished before the session opens, then what waited comes first", () => {
    const recorder = closed();
    recorder.add(fault("early"), at(1));
    expect([counted(recorder, 100), recorder.isOpen, recorder.backlog]).toEqual([[], false, 0]);
    recorder.open("garden", reader);
    recorder.add(fault("later"), at(2));
    expect(whats(counted(recorder, 100))).toEqual(["early", "later"]);
  });

  test("stamps records with the session, its server, the time of their cause and a sequence", () => {
    const recorder = opened();
    recorder.add(fault("a"), at(7));
    recorder.add(answered("abc"), at(8));
    const records = counted(recorder, 100).map(({ record }) => record);
    records.push(recorder.stamp({ type: "fault", where: "a test", what: "b" }, at(7)));
    expect(records.map(({ ts }) => ts)).toEqual([
      "2026-01-01T00:00:00.007Z",
      "2026-01-01T00:00:00.008Z",
      "2026-01-01T00:00:00.007Z",
    ]);
    for (const record of records) {
      expect(record).toMatchObject({ schema_version: "1.0", session_id: "id", server: "garden" });
    }
    expect(seqs(records)).toEqual([0, 1, 2]);
  });

  test("finishes records in the order of their causes, whatever they cost", () => {
    const recorder = opened();
    recorder.add(answered("x".repeat(300)), at(1));
    recorder.add(fault("free"), at(2));
    recorder.add(answered("abc"), at(3));
    expect(whats([...counted(recorder, 1), ...counted(recorder, 1_000)])).toEqual([
      "100",
      "free",
      "1",
    ]);
  });

  test("the backlog is what is left to count, and 0 when nothing is", () => {
    const recorder = opened();
    recorder.add(answered("abc"), at(1));
    recorder.add(fault("free"), at(1));
    expect(recorder.backlog).toBe(3 + 2);
    counted(recorder, 100);
    expect(recorder.backlog).toBe(0);
  });

  test("an entry is counted for the reader that there was when it was added", () => {
    const recorder = opened();
    recorder.add(answered("abc"), at(1));
    const { estimator } = reader;
    recorder.changeReader({ ...reader, estimator: { ...estimator, encoding: "another" } });
    recorder.add(answered("abc"), at(2));
    const encodings = settled(recorder).map(({ record }) =>
      Reflect.get(record, "estimation_encoding"),
    );
    expect(encodings).toEqual([estimator.encoding, "another"]);
  });

  test.each([
    ["host", false, { kind: "order" }],
    ["host", true, undefined], // several conversations may share a session of stateless requests
    ["opencode", false, undefined], // sorts them
    ["claude-code", false, undefined],
  ])(
    "the next call tells %s's change of the order of tools, stateless: %p",
    (client, isStateless, change) => {
      const recorder = closed();
      recorder.open("garden", plainReader(client));
      const ask = (atMs: number) => {
        const call = callOf({ name: "plant" }, { atMs, exchange: { number: 1, isStateless } });
        recorder.add(
          { kind: "call", call, closing: { outcome: "ok", result: {}, endedMs: atMs + 1 } },
          at(atMs + 1),
        );
      };
      recorder.add(listed(["plant", "water"]), at(0));
      ask(1);
      recorder.add(listed(["water", "plant"]), at(3));
      ask(4);
      const calls = settled(recorder).flatMap(({ record }) =>
        record.type === "call" ? [record.list_change] : [],
      );
      expect(calls).toMatchObject([undefined, change]);
    },
  );

  test("settling completes everything at once, uncounted text by its length and flagged", () => {
    const recorder = opened();
    recorder.add(answered("abc"), at(1));
    recorder.add(answered("x".repeat(300)), at(1));
    recorder.add(fault("free"), at(1));
    counted(recorder, 1);
    expect(whats(settled(recorder))).toEqual(["75 unread", "free"]);
    expect([recorder.backlog, settled(recorder)]).toEqual([0, []]);
  });

  test("is behind beyond the bytes that wait, two for each character, until a record is finished", () => {
    const recorder = opened();
    recorder.add(answered("x".repeat(backlogBytesMax / 2 - waitingRecordBytes / 2)), at(1));
    expect(recorder.isCountingBehind).toBe(false);
    recorder.add(fault("one more"), at(2));
    recorder.draftPending();
    expect(recorder.isCountingBehind).toBe(true);
    const [, last] = whats(counted(recorder, Number.POSITIVE_INFINITY));
    expect([last, recorder.isCountingBehind, recorder.backlog]).toEqual(["one more", false, 0]);
  });

  test("is behind by many small records, too", () => {
    const recorder = opened();
    let added = 0;
    for (; !recorder.isCountingBehind; added += 1) {
      recorder.add(fault("small"), at(1));
      recorder.draftPending();
    }
    expect(added).toBe(backlogBytesMax / waitingRecordBytes + 1);
  });

  test("a text is counted exactly, however many wait before it", () => {
    const recorder = opened();
    const texts = ["x".repeat(backlogBytesMax), "y".repeat(backlogBytesMax), "abc"];
    for (const text of texts) recorder.add(answered(text), at(1));
    expect(whats(counted(recorder, Number.POSITIVE_INFINITY))).toEqual(
      texts.map(({ length }) => String(Math.ceil(length / 3))),
    );
  });

  test("a record that cannot be settled is left out, and those behind it are settled", () => {
    const recorder = closed();
    const estimator = { ...reader.estimator };
    Object.defineProperty(estimator, "encoding", { get: fail });
    recorder.open("garden", { ...reader, estimator });
    recorder.add(answered("abc"), at(1));
    recorder.add(fault("next"), at(2));
    expect(() => settled(recorder)).toThrow("broken");
    expect([whats(settled(recorder)), recorder.backlog]).toEqual([["next"], 0]);
  });

  test("a record that cannot be counted is left out, and those behind it are counted", () => {
    const recorder = closed();
    recorder.open("garden", { ...reader, estimator: { ...reader.estimator, count: fail } });
    recorder.add(answered("abc"), at(1));
    recorder.add(fault("next"), at(2));
    expect(() => counted(recorder, 100)).toThrow("broken");
    expect([whats(counted(recorder, 100)), recorder.backlog]).toEqual([["next"], 0]);
  });

  test("what waits for the session to open is bounded by its bytes, too", () => {
    const recorder = closed();
    const entry = answered("abc");
    if (entry.kind === "call") entry.call.addAnswer(backlogBytesMax, false);
    recorder.add(entry, at(1));
    expect(recorder.isWaitingListFull).toBe(true);
  });

  test(`${waitingRecordsMax} entries wait for the session, then it must open`, () => {
    const recorder = closed();
    const full = Array.from({ length: waitingRecordsMax }, () => {
      recorder.add(fault("early"), at(1));
      return recorder.isWaitingListFull;
    });
    expect([full.filter(Boolean).length, full.at(-1)]).toEqual([1, true]);
  });
});
