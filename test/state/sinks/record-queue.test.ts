import { describe, expect, test } from "bun:test";
import {
  quickWriteMaxMs,
  recordQueueBytesMax,
  recordWaitBytesMax,
  recordWriteBytesMax,
  urgentWriteMaxMs,
  RecordQueue,
  type Appendable,
  formatRecordLine,
} from "#state/sinks/record-queue.ts";
import type { MeterRecord } from "#records/record.ts";
import { callRecord } from "../../support/made-records.ts";
import { judgedByTime } from "../../support/measure.ts";
import { eventually } from "../../support/wait.ts";

function memoryFile(fails: (append: number) => boolean = () => false) {
  const appended: string[] = [];
  let appends = 0;
  const appendNow = (lines: string): number => {
    appends += 1;
    if (fails(appends)) return 0;
    appended.push(lines);
    return lines.split("\n").length - 1;
  };
  const file: Appendable = {
    path: "memory.ndjson",
    append: (lines) => Promise.resolve(appendNow(lines)),
    appendNow,
  };
  return { file, appended, appends: () => appends };
}

function numbered(count: number): MeterRecord[] {
  return Array.from({ length: count }, (_, seq) => callRecord({ seq }));
}

const readSeqs = (text: string): unknown[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => Reflect.get(Object(JSON.parse(line)), "seq"));

describe("RecordQueue", () => {
  test("opens its file with the first record, once", async () => {
    const opened: MeterRecord[] = [];
    const { file } = memoryFile();
    const sink = new RecordQueue((first) => {
      opened.push(first);
      return file;
    });
    expect(sink.path).toBeUndefined();
    for (const record of numbered(3)) sink.take(record);
    await sink.flush(1_000);
    expect([opened, sink.path]).toEqual([[callRecord({ seq: 0 })], "memory.ndjson"]);
  });

  test("without a file, discards every record and asks for one once", async () => {
    let opened = 0;
    const sink = new RecordQueue(() => {
      opened += 1;
      return undefined;
    });
    for (const record of numbered(3)) sink.take(record);
    await sink.flush(1_000);
    expect([opened, sink.path]).toEqual([1, undefined]);
  });

  test("while the disk keeps up, each record is a write", async () => {
    const { file, appended } = memoryFile();
    const sink = new RecordQueue(() => file);
    for (const record of numbered(5)) {
      sink.take(record);
      await sink.flush(1_000);
    }
    expect(appended).toEqual(numbered(5).map(formatRecordLine));
  });

  test(
    "records that follow within gatherMs share a write, and the first does not wait",
    async () => {
      const { file, appended } = memoryFile();
      const sink = new RecordQueue(() => ({ ...file, gatherMs: 500 }));
      const [first, ...others] = numbered(4);
      if (first) sink.take(first);
      await eventually("the first write", () => appended.length === 1);
      await Bun.sleep(1);
      for (const record of others) sink.take(record);
      await Bun.sleep(5);
      expect(appended).toHaveLength(1);
      await eventually("the second write", () => appended.length > 1);
      expect(appended.map(readSeqs)).toEqual([[0], [1, 2, 3]]);
    },
    judgedByTime,
  );

  test("a flush ends the gathering", async () => {
    const { file, appended } = memoryFile();
    const sink = new RecordQueue(() => ({ ...file, gatherMs: 60_000 }));
    for (const record of numbered(3)) {
      sink.take(record);
      await sink.flush(1_000);
    }
    expect(appended).toEqual(numbered(3).map(formatRecordLine));
    expect(sink.dropped).toBe(0);
  });

  test("when the disk does not keep up, a write is as many whole records as fit, in order", async () => {
    const { file, appended } = memoryFile();
    const sink = new RecordQueue(() => file);
    const records = numbered(6_000);
    for (const record of records) sink.take(record);
    await sink.flush(5_000);
    expect(appended.length).toBeLessThan(10);
    for (const lines of appended) {
      expect(lines.endsWith("\n")).toBe(true);
      expect(lines.length).toBeLessThanOrEqual(recordWriteBytesMax);
    }
    expect(readSeqs(appended.join(""))).toEqual(records.map(({ seq }) => seq));
  });

  test("a record that is larger than a write is a write of its own", async () => {
    const { file, appended } = memoryFile();
    const sink = new RecordQueue(() => file);
    const large = callRecord({ tool: "x".repeat(recordWriteBytesMax) });
    for (const record of [callRecord(), large, callRecord()]) sink.take(record);
    await sink.flush(1_000);
    expect(appended).toEqual([callRecord(), large, callRecord()].map(formatRecordLine));
  });

  for (let failing = 1; failing <= 6; failing += 1) {
    test(`append ${failing} fails: its record alone is dropped and counted`, async () => {
      const { file, appended } = memoryFile((append) => append === failing);
      const sink = new RecordQueue(() => file);
      for (const record of numbered(5)) {
        sink.take(record);
        await sink.flush(1_000);
      }
      expect(sink.dropped).toBe(failing <= 5 ? 1 : 0);
      expect(readSeqs(appended.join(""))).toEqual(
        [0, 1, 2, 3, 4].filter((seq) => seq !== failing - 1),
      );
    });
  }

  test("the record of an append that throws is dropped, and the next one is written", async () => {
    const { file, appended } = memoryFile();
    let throws = true;
    const sink = new RecordQueue(() => ({
      ...file,
      append(lines) {
        if (throws) return Promise.reject(new Error("EIO"));
        return file.append(lines);
      },
    }));
    sink.take(callRecord({ seq: 0 }));
    await sink.flush(50).catch(() => undefined);
    throws = false;
    sink.take(callRecord({ seq: 1 }));
    await sink.flush(50).catch(() => undefined);
    expect([readSeqs(appended.join("")), sink.dropped]).toEqual([[1], 1]);
  });

  test(
    "records wait for a disk that stands still, and are not lost yet",
    async () => {
      const sink = new RecordQueue(() => ({
        ...memoryFile().file,
        append: () => new Promise<number>(() => undefined),
      }));
      for (const record of numbered(4)) sink.take(record);
      await Promise.resolve();
      const before = performance.now();
      await sink.flush(20);
      expect(performance.now() - before).toBeLessThan(500);
      expect([sink.waiting, sink.dropped]).toEqual([4, 0]);
    },
    judgedByTime,
  );

  test("saving writes the records that wait before it returns, once", async () => {
    const { file, appended } = memoryFile();
    const sink = new RecordQueue(() => file);
    for (const record of numbered(3)) sink.take(record);
    sink.save(true);
    expect(appended.map(readSeqs)).toEqual([[0, 1, 2]]);
    sink.save(true);
    await sink.flush(1_000);
    expect([appended.length, sink.dropped]).toEqual([1, 0]);
  });

  test("records that saving could not write are dropped, not written later", async () => {
    const { file, appended } = memoryFile((append) => append === 1);
    const sink = new RecordQueue(() => file);
    sink.take(callRecord({ seq: 0 }));
    sink.save(true);
    sink.take(callRecord({ seq: 1 }));
    await sink.flush(1_000);
    expect([readSeqs(appended.join("")), sink.dropped]).toEqual([[1], 1]);
  });

  test("saving does not wait for a disk that stands still", async () => {
    let saves = 0;
    const sink = new RecordQueue(() => ({
      path: "stuck",
      append: () => new Promise<number>(() => undefined),
      appendNow: () => (saves += 1),
    }));
    sink.take(callRecord());
    await Bun.sleep(urgentWriteMaxMs + 10);
    sink.take(callRecord());
    sink.save(true);
    expect(saves).toBe(0);
  });

  test("a short write wakes no thread, where records are gathered", judgedByTime, async () => {
    const { file } = memoryFile();
    const ways: string[] = [];
    const sink = new RecordQueue(() => ({
      path: file.path,
      gatherMs: 1,
      append(lines) {
        ways.push("thread");
        return file.append(lines);
      },
      appendNow(lines) {
        ways.push("at once");
        return file.appendNow(lines);
      },
    }));
    for (const tool of ["search", "x".repeat(recordWaitBytesMax), "search"]) {
      sink.take(callRecord({ tool }));
      await sink.flush(1_000);
    }
    expect(ways).toEqual(["at once", "thread", "at once"]);
  });

  test(
    "saving in traffic begins to write when the last write was slow, and does not wait",
    judgedByTime,
    async () => {
      const { file, appended } = memoryFile();
      let saves = 0;
      const sink = new RecordQueue(() => ({
        ...file,
        gatherMs: 60_000,
        appendNow(lines) {
          saves += 1;
          if (saves === 1) Bun.sleepSync(quickWriteMaxMs + 1);
          return file.appendNow(lines);
        },
      }));
      for (const record of numbered(2)) {
        sink.take(record);
        sink.save(false);
      }
      expect([saves, appended.map(readSeqs)]).toEqual([1, [[0]]]);
      await eventually("the second record", () => appended.length === 2);
      sink.take(callRecord());
      sink.save(false);
      expect([saves, appended.length]).toEqual([2, 3]);
    },
  );

  test("records beyond the limit of the queue are dropped at once, and later ones are taken again", async () => {
    const gate = Promise.withResolvers<number>();
    const sizes: number[] = [];
    const sink = new RecordQueue(() => ({
      ...memoryFile().file,
      append(lines) {
        sizes.push(lines.length);
        return sizes.length === 1 ? gate.promise : Promise.resolve(lines.split("\n").length - 1);
      },
    }));
    sink.take(callRecord());
    await eventually("the first write", () => sizes.length === 1);
    const large = callRecord({ tool: "x".repeat(1024 * 1024) });
    const each = formatRecordLine(large).length;
    const fit = Math.floor(recordQueueBytesMax / each);
    for (let at = 0; at < fit + 3; at += 1) sink.take(large);
    expect([sink.waiting, sink.dropped]).toEqual([fit, 3]);
    gate.resolve(1);
    await sink.flush(5_000);
    expect([sink.waiting, sink.dropped]).toEqual([0, 3]);
    sink.take(large);
    await sink.flush(5_000);
    expect(sizes.filter((size) => size === each)).toHaveLength(fit + 1);
    expect(sink.dropped).toBe(3);
  });

  test("limits count bytes, not characters", async () => {
    const { file, appended } = memoryFile();
    const sink = new RecordQueue(() => file);
    const wide = callRecord({ tool: "漢".repeat(recordWriteBytesMax / 8) });
    for (let at = 0; at < 6; at += 1) sink.take(wide);
    await sink.flush(1_000);
    const sizes = appended.map((lines) => new TextEncoder().encode(lines).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(recordWriteBytesMax);
  });
});
