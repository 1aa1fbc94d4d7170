import { expect, test } from "bun:test";
import { exactOptionSpecs, parseExactOptions } from "#commands/exact.ts";
import { thrownBy } from "../support/folder.ts";

test("parseExactOptions: only with the flag, which no variable sets", () => {
  const model = "claude-opus-5";
  expect(parseExactOptions({ model, "exact-url": "https://x" })).toBeUndefined();
  expect(parseExactOptions({ model, exact: true })).toEqual({ model, url: undefined });
  expect(parseExactOptions({ model, exact: true, "exact-url": "https://x" })).toEqual({
    model,
    url: "https://x",
  });
  expect(exactOptionSpecs["exact"]?.isCommandLineOnly).toBe(true);
});

test("parseExactOptions refuses what it cannot combine", () => {
  expect(thrownBy(() => parseExactOptions({ exact: true }))).toBe(
    "--exact requires --model NAME, as in --model claude-opus-5",
  );
  const options = { exact: true, model: "claude-opus-5", tokenizer: "o200k" };
  expect(thrownBy(() => parseExactOptions(options))).toBe(
    "Cannot combine --exact with --tokenizer",
  );
});
