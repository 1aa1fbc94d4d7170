import { expect, test } from "bun:test";
import { tokenizerFor } from "#storage/vocabulary.ts";

test("tokenizerFor loads each encoding once", () => {
  const [o200k, cl100k] = [tokenizerFor("o200k_base"), tokenizerFor("cl100k_base")];
  expect(tokenizerFor("o200k_base")).toBe(o200k);
  expect([o200k.count("hello world"), cl100k.count("hello world")]).toEqual([2, 2]);
  expect(o200k.count("Привет, мир")).toBeLessThan(cl100k.count("Привет, мир"));
});
