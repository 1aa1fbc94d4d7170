import { expect, test } from "bun:test";
import { countOptionGroups, parseCountOptions } from "#commands/count/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("parseCountOptions: defaults", () => {
  expect(parseCountOptions(args)).toEqual({
    tokenizer: "auto",
    model: undefined,
    tokensMax: undefined,
    format: "table",
    output: undefined,
    isWide: false,
    exact: undefined,
    files: ["-"],
  });
});

test("parseCountOptions: every option, and files on both sides of --", () => {
  const options = { tokenizer: "cl100k", model: "gpt-4", limit: "0", json: true };
  const names = countOptionGroups.flatMap((group) => Object.keys(group.options));
  expect(names.toSorted()).toEqual(
    [...Object.keys(options), "exact", "exact-url", "format", "output", "wide"].toSorted(),
  );
  expect(parseCountOptions({ options, operands: ["a"], child: ["-b"] })).toEqual({
    tokenizer: "cl100k",
    model: "gpt-4",
    tokensMax: 0,
    format: "json",
    output: undefined,
    isWide: false,
    exact: undefined,
    files: ["a", "-b"],
  });
});

test.each([
  ["tokenizer", "o300k"],
  ["limit", "lots"],
  ["limit", "-1"],
])("parseCountOptions refuses --%s %s", (name, value) => {
  const parse = () => parseCountOptions({ ...args, options: { [name]: value } });
  expect(thrownBy(parse)).toStartWith(`--${name} must be`);
});
