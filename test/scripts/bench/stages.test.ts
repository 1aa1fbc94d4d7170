import { describe, expect, test } from "bun:test";
import { linesOf, recordsOf } from "../../../scripts/bench/stages/material.ts";
import { judging, stages } from "../../../scripts/bench/stages/stages.ts";
import { chunksOf } from "../../../scripts/bench/stages/traffic.ts";

const shape = { name: "", calls: 700, answerBytes: 2_000, isRepeated: false };
const chunks = chunksOf(shape);

test("bursts: each line is whole, and each call is answered", () => {
  expect(linesOf(chunks).length).toBe(2 * shape.calls);
  const records = recordsOf(chunks);
  expect(records.length).toBe(shape.calls);
  for (const record of records) {
    if (record.type !== "call") throw new Error("a call record");
    expect(record).toMatchObject({ outcome: "ok", truncated: false });
    expect(record.output_bytes).toBeGreaterThan(shape.answerBytes);
  }
});

test("answers differ unless they are repeated", () => {
  const results = (isRepeated: boolean) =>
    new Set(
      recordsOf(chunksOf({ ...shape, isRepeated })).map((record) =>
        record.type === "call" ? record.result_sha256 : null,
      ),
    ).size;
  expect(results(false)).toBe(shape.calls);
  expect(results(true)).toBe(1);
});

describe("every stage runs alone", () => {
  for (const { name, prepare } of stages) {
    test(name, () => {
      expect(prepare(chunks)).not.toThrow();
    });
  }

  test("one of them has the goal", () => {
    expect(stages.map(({ name }) => name)).toContain(judging);
  });
});
