import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import type { CallRecord, EndRecord, MeterRecord } from "#records/record.ts";
import recordSchema from "#records/record.schema.json" with { type: "json" };
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { summaryOf } from "../support/play.ts";
import { canary } from "./script.ts";
import { play, replay, type Session } from "./session.ts";

const regressions: readonly (readonly [seed: number, fault: string])[] = [
  [5593, "of two calls suspended in the same words, the first was lost"],
];

const seeds = Number(process.env["SIMULATOR_SEEDS"] ?? "50");

const isRecord = new Ajv2020({ strict: false, validateFormats: false }).compile(recordSchema);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function check(seed: number): void {
  const session = play(seed);
  const { records, truth, events } = session;
  if (!truth.hasBegun || truth.isProbe) {
    expect(records).toEqual([]);
    return;
  }
  expectShape(records);
  expectTruth(session);
  expectSums(records);
  expect(replay(events)).toEqual(records);
  expect(play(seed, seed + 1).records).toEqual(records);
  expect(JSON.stringify(records)).not.toContain(canary);
  const reread = records.map((record): MeterRecord => JSON.parse(formatRecordLine(record)));
  expect(summaryOf(reread)).toEqual(summaryOf(records));
}

function expectShape(records: readonly MeterRecord[]): void {
  expect(records.map(({ seq }) => seq)).toEqual([...records.keys()]);
  const types = records.map(({ type }) => type);
  expect([types[0], types.at(-1)]).toEqual(["session", "end"]);
  expect(types.filter((type) => type === "end")).toHaveLength(1);
  const sessions = records.filter((record) => record.type === "session");
  expect(sessions.length).toBeLessThanOrEqual(sessions[0]?.client_name === null ? 2 : 1);
  for (const record of records) {
    if (!isRecord(record)) throw new Error(`not a record: ${JSON.stringify(isRecord.errors)}`);
  }
}

function expectTruth({ records, truth }: Session): void {
  const told = records
    .filter((record) => record.type === "call" || record.type === "protocol")
    .map((record) => ({
      type: record.type,
      method: record.method,
      tool: record.type === "call" ? record.tool : null,
      outcome: record.outcome,
    }));
  expect(sorted(told)).toEqual(sorted(truth.ended));
  const end = endOf(records);
  expect({
    opaque: { client: end.opaque_client_lines, server: end.opaque_server_lines },
    bytes: { client: end.client_bytes, server: end.server_bytes },
    late: end.late_answers,
    unknown: end.unknown_answers,
    notifications: sum(end.notifications.map(({ count }) => count)),
  }).toEqual({
    opaque: truth.opaque,
    bytes: truth.bytes,
    late: truth.late,
    unknown: truth.unknown,
    notifications: truth.notifications,
  });
}

function sorted(list: readonly object[]): string[] {
  return list.map((one) => JSON.stringify(one)).toSorted();
}

function expectSums(records: readonly MeterRecord[]): void {
  const calls = records.filter((record): record is CallRecord => record.type === "call");
  // A client that adds text of its own shows more than it got.
  const isFraming = records.some(
    (record) => record.type === "session" && record.profile === "structured-first",
  );
  for (const call of calls) {
    expect(call.total_tokens).toBe(call.input_tokens + call.output_tokens);
    expect(call.output_tokens).toBe(call.visible_tokens);
    if (!isFraming) expect(call.visible_tokens).toBeLessThanOrEqual(call.wire_tokens);
    expect(call.duplicate_tokens).toBeLessThanOrEqual(call.wire_tokens);
    expect(call.messages).toBeGreaterThanOrEqual(1);
    if (call.outcome === "cancelled") expect(call.total_tokens).toBe(0);
  }
  const end = endOf(records);
  const tokens = sum(calls.map((call) => call.total_tokens));
  expect([end.calls, end.total_tokens]).toEqual([calls.length, tokens]);
  const { total, tools } = summaryOf(records);
  expect([total.calls, total.total_tokens]).toEqual([calls.length, tokens]);
  expect(sum(tools.map((row) => row.total_tokens))).toBe(tokens);
}

function endOf(records: readonly MeterRecord[]): EndRecord {
  const end = records.at(-1);
  if (end?.type !== "end") throw new Error("a session ends with its end");
  return end;
}

function checkSeed(seed: number): void {
  try {
    check(seed);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${why}`, { cause: error });
  }
}

const begin = Number(process.env["SIMULATOR_FROM"] ?? "1");

test(`${seeds} sessions of chance keep every promise of the meter, from seed ${begin}`, () => {
  for (let seed = begin; seed < begin + seeds; seed += 1) checkSeed(seed);
}, 600_000);

for (const [seed, fault] of regressions) {
  test(`seed ${seed} no longer shows: ${fault}`, () => {
    checkSeed(seed);
  });
}

test("the sessions are worth something: all outcomes, eras and shapes occur", () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 40; seed += 1) {
    const { records } = play(seed);
    for (const record of records) {
      seen.add(record.type);
      if (record.type === "session") seen.add(`era ${record.era}`);
      if (record.type !== "call") continue;
      seen.add(record.outcome);
      if (record.messages > 2) seen.add("long");
      if (record.truncated) seen.add("truncated");
    }
  }
  const wanted = [
    "call",
    "protocol",
    "definitions",
    "era legacy",
    "era modern",
    "ok",
    "tool_error",
  ];
  expect([...seen]).toEqual(
    expect.arrayContaining([...wanted, "rpc_error", "cancelled", "abandoned", "long", "truncated"]),
  );
});
