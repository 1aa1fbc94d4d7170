import { expect, test } from "bun:test";
import { cl100k } from "#estimators/cl100k.ts";
import { tiktoken } from "./support/counters.ts";

test("cl100k: counts as tiktoken's cl100k_base", () => {
  const estimator = cl100k(tiktoken);
  expect(estimator).toMatchObject({ id: "cl100k", method: "bpe", encoding: "cl100k_base" });
  expect(estimator.count("hello world")).toBe(2);
  expect(estimator.count("<|endoftext|>")).toBeGreaterThan(1);
});
