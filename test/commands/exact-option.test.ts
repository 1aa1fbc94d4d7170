import { expect, test } from "bun:test";
import { exactOptionSpecs, parseExactModel } from "#commands/exact-option.ts";
import { thrownBy } from "../support/folder.ts";

test("parseExactModel: only with the flag, which no variable sets", () => {
  const model = "claude-opus-5";
  expect(parseExactModel({ model })).toBeUndefined();
  expect(parseExactModel({ model, exact: true })).toBe(model);
  expect(exactOptionSpecs["exact"]?.isCommandLineOnly).toBe(true);
});

test("parseExactModel refuses what it cannot combine", () => {
  expect(thrownBy(() => parseExactModel({ exact: true }))).toBe(
    "--exact requires --model NAME, as in --model claude-opus-5",
  );
  const options = { exact: true, model: "claude-opus-5", tokenizer: "o200k" };
  expect(thrownBy(() => parseExactModel(options))).toBe("Cannot combine --exact with --tokenizer");
});
