import { expect, test } from "bun:test";
import { readerFor } from "#commands/reader.ts";
import type { ReaderOptions } from "#commands/reader-options.ts";

const auto: ReaderOptions = {
  tokenizer: "auto",
  model: undefined,
  client: undefined,
  windowTokens: undefined,
};

const told = (options: Partial<ReaderOptions>, client: string | undefined) => {
  const { estimator, profile, windowTokens, model } = readerFor({ ...auto, ...options })(client);
  return [estimator.id, profile.id, windowTokens, model];
};

type Row = readonly [
  options: Partial<ReaderOptions>,
  client: string | undefined,
  reader: readonly (string | number | null)[],
];

const rows: readonly Row[] = [
  [{}, undefined, ["o200k", "content-first", 200_000, null]],
  [{}, "claude-code", ["claude", "structured-first", 200_000, null]],
  [{ client: "claude-code" }, "codex", ["claude", "structured-first", 200_000, null]],
  [{ tokenizer: "words" }, "claude-code", ["words", "structured-first", 200_000, null]],
  [{ windowTokens: 1_000 }, undefined, ["o200k", "content-first", 1_000, null]],
];
for (const [options, client, reader] of rows) {
  test(`${JSON.stringify(options)} and ${client ?? "nobody"} read by ${String(reader[0])}`, () => {
    expect(told(options, client)).toEqual([...reader]);
  });
}

test("a model chooses how to count, and its own window", () => {
  const reader = readerFor({ ...auto, model: "gpt-4o" })("claude-code");
  expect([reader.estimator.id, reader.model, reader.profile.id]).toEqual([
    "o200k",
    "gpt-4o",
    "structured-first",
  ]);
});
