import { expect, test } from "bun:test";
import { o200k } from "#estimators/o200k.ts";
import { tiktoken } from "./support/counters.ts";

test("o200k: counts as tiktoken's o200k_base", () => {
  const estimator = o200k(tiktoken);
  expect(estimator).toMatchObject({ id: "o200k", method: "bpe", encoding: "o200k_base" });
  expect(estimator.count("hello world")).toBe(2);
  expect(estimator.count("<|endoftext|>")).toBeGreaterThan(1);
});
