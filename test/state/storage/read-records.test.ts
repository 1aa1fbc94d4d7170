import { describe, expect, test } from "bun:test";
import type { MeterRecord } from "#records/record.ts";
import { packBytes } from "#state/storage/compressed-files.ts";
import { readRecords } from "#state/storage/read-records.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";
import {
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
} from "../../support/made-records.ts";
import { MadeNumbers } from "../../support/made-usage.ts";
import { summaryOf } from "../../support/play.ts";

const skip = (): void => undefined;

async function read(text: string): Promise<{ records: MeterRecord[]; skipped: number }> {
  using folder = new Folder();
  const records: MeterRecord[] = [];
  const counts = await readRecords(folder.file("r.ndjson", text), (record) => records.push(record));
  expect(counts.records).toBe(records.length);
  const { incomplete, newer, foreign } = counts.skipped;
  return { records, skipped: incomplete + newer + foreign };
}

const ours: readonly MeterRecord[] = [
  sessionRecord(),
  definitionsRecord(),
  callRecord(),
  endRecord(),
];
const lines = ours.map(formatRecordLine).join("");

describe("readRecords", () => {
  test("what a sink wrote is read back as it was, and adds up to the same summary", async () => {
    const { records, skipped } = await read(lines);
    expect([records, skipped]).toEqual([[...ours], 0]);
    expect(summaryOf(records)).toEqual(summaryOf(ours));
  });

  test("packed records are read as plain ones; damaged and doubly packed ones have a sentence", async () => {
    using folder = new Folder();
    const packed = packBytes(Buffer.from(lines));
    const readPacked = async (bytes: Uint8Array) => {
      const records: MeterRecord[] = [];
      await readRecords(folder.file("r.ndjson.zst", bytes), (record) => records.push(record));
      return records;
    };
    expect(await readPacked(packed)).toEqual([...ours]);
    expect(await readPacked(packBytes(new Uint8Array()))).toEqual([]);
    for (const cut of [packed.subarray(0, -9), packed.subarray(0, 4), packed.subarray(0, 0)]) {
      expect(await rejectionOf(readPacked(cut))).toContain("the file is damaged");
    }
    const twice = await rejectionOf(readPacked(Bun.zstdCompressSync(packed)));
    expect(twice.match(/Cannot read/g)).toHaveLength(1);
    expect(twice).toContain("it is compressed");
  });

  test("a torn last line is skipped and counted, what stands before it is not", async () => {
    const { records, skipped } = await read(lines.slice(0, -20));
    expect([records.length, skipped]).toEqual([3, 1]);
  });

  test("a line torn in the middle costs itself alone", async () => {
    const torn = `${formatRecordLine(callRecord()).slice(0, 50)}\n`;
    const { records, skipped } = await read(`${torn}${lines}${torn}${lines}`);
    expect([records.length, skipped]).toEqual([8, 2]);
  });

  test("a mark of byte order and CRLF are not part of a record", async () => {
    const { records, skipped } = await read(`\ufeff${lines.replaceAll("\n", "\r\n")}`);
    expect([records, skipped]).toEqual([[...ours], 0]);
    expect((await read(`${lines}\ufeff${lines}`)).skipped).toBe(1);
    expect(await read("\ufeff")).toEqual({ records: [], skipped: 0 });
  });

  test("a compressed file is refused with the way to read it", async () => {
    using folder = new Folder();
    for (const bytes of [Bun.gzipSync(lines), Bun.zstdCompressSync(lines)]) {
      const file = folder.file("r.ndjson.gz", bytes);
      expect(await rejectionOf(readRecords(file, skip))).toContain("it is compressed");
    }
  });

  test("a number that no sum can hold is not one of a record", async () => {
    const line = formatRecordLine(callRecord()).replace(
      '"output_tokens":100',
      '"output_tokens":1e300',
    );
    const long = formatRecordLine(callRecord()).replace('"duration_ms":12', '"duration_ms":1e308');
    const { records, skipped } = await read(`${line}${long}${lines}`);
    expect([records.length, skipped]).toEqual([4, 2]);
    const most = callRecord({
      output_tokens: Number.MAX_SAFE_INTEGER,
      total_tokens: Number.MAX_SAFE_INTEGER,
    });
    expect((await read(formatRecordLine(most))).records).toEqual([most]);
  });

  test("blank lines are nothing", async () => {
    expect((await read(`\n\n${lines}\n`)).skipped).toBe(0);
  });

  const foreign: readonly (readonly [what: string, line: string])[] = [
    ["another log's", '{"level":"info"}'],
    ["text", "hello"],
    ["a number", "7"],
    ["null", "null"],
    ["an array", "[]"],
    ["a newer major version", formatRecordLine(callRecord()).replace('"1.0"', '"2.0"').trim()],
    ["an unknown type", formatRecordLine(callRecord()).replace('"call"', '"gossip"').trim()],
    ["one without a session", formatRecordLine(callRecord()).replace('"session_id"', '"x"').trim()],
  ];
  for (const [what, line] of foreign) {
    test(`${what} is skipped and counted`, async () => {
      const { records, skipped } = await read(`${line}\n${lines}`);
      expect([records.length, skipped]).toEqual([4, 1]);
    });
  }

  const common = { schema_version: "1.0", session_id: "s", server: "x", ts: "", seq: 0 };
  const hollow: readonly object[] = [
    { ...common, type: "definitions" },
    { ...common, type: "definitions", tools: [null], total_tokens: 1 },
    { ...common, type: "call" },
    { ...common, type: "call", total_tokens: "many", duration_ms: null },
    { ...common, type: "end" },
    { ...common, type: "session" },
    { ...common, type: "alert" },
  ];
  for (const record of hollow) {
    test(`${formatMembers(record)} is a record of nobody: no report breaks on it`, async () => {
      const { records } = await read(`${JSON.stringify(record)}\n${lines}`);
      expect(summaryOf(records)).toEqual(summaryOf(ours));
    });
  }

  test("a newer minor version may add members", async () => {
    const line = formatRecordLine(callRecord()).replace('"1.0"', '"1.7"').replace("{", '{"new":1,');
    expect((await read(line)).records).toHaveLength(1);
  });

  test("__proto__ of a record changes nobody else", async () => {
    await read(`{"__proto__":{"polluted":true}}\n${lines}`);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("a file that is not there, and a directory, are told in one sentence", async () => {
    using folder = new Folder();
    expect(await rejectionOf(readRecords(folder.at("no"), skip))).toMatch(
      /^UserError: Cannot read ".*": no such file or directory$/,
    );
    expect(await rejectionOf(readRecords(folder.path, skip))).toMatch(
      /^UserError: Cannot read ".*": it is a directory$/,
    );
  });
});

function formatMembers(record: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(record).slice(5)));
}

describe("a block of lines is read as its lines one by one", () => {
  const line = formatRecordLine(callRecord()).trimEnd();
  const kinds: readonly string[] = [
    line,
    line,
    line,
    formatRecordLine(sessionRecord()).trimEnd(),
    formatRecordLine(callRecord({ tool: "größe" })).trimEnd(),
    "",
    "  ",
    `${line}\r`,
    ` ${line} `,
    `\ufeff${line}`,
    `${line}${line}`,
    `${line} ${line}`,
    line.slice(0, 40),
    line.slice(40),
    line.replace('"1.0"', '"2.0"'),
    `{"a":`,
    "1}",
    "[1,",
    "2]",
    "null",
    "7",
    "[]",
    "{}",
    "text",
  ];

  test.each([
    ["a mark of byte order at its beginning", `\ufeff${line}`, { records: 2, incomplete: 1 }],
    ["a value of two lines", `{"a":\n1}`, { records: 2, incomplete: 1, foreign: 1 }],
  ])("with %s", async (_, between, expected) => {
    using folder = new Folder();
    const file = folder.file("r.ndjson", [line, between, line].join("\n"));
    expect(await counted(file)).toMatchObject(expected);
  });

  test.each([1, 2, 3, 4])("in any mix (seed %d)", async (seed) => {
    using folder = new Folder();
    const numbers = new MadeNumbers(seed);
    for (let round = 0; round < 60; round += 1) {
      const few = numbers.below(2) === 0 ? kinds : kinds.slice(0, 6);
      const mixed = Array.from({ length: 1 + numbers.below(12) }, () => numbers.pick(few));
      const total = await counted(folder.file("whole.ndjson", `\n${mixed.join("\n")}`));
      const sums = { records: 0, incomplete: 0, newer: 0, foreign: 0 };
      for (const mixedLine of mixed) {
        const counts = await counted(folder.file("one.ndjson", `\n${mixedLine}`));
        for (const name of ["records", "incomplete", "newer", "foreign"] as const) {
          sums[name] += counts[name];
        }
      }
      expect({ mixed, ...total }).toEqual({ mixed, ...sums });
    }
  });
});

async function counted(file: string) {
  const { records, skipped } = await readRecords(file, skip);
  return { records, ...skipped };
}
