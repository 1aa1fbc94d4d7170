import { expect, test } from "bun:test";
import { findChangedNumber, describeNumberChange } from "#kit/text/numbers.ts";
import { quotedCharactersMax } from "#kit/limits.ts";

test.each([
  ["0", 0],
  ["-0", -0],
  ["0.000", 0],
  ["1", 1],
  ["-12.50", -12.5],
  ["0.1", 0.1],
  ["+7", 7],
  [".5", 0.5],
  ["1e3", 1000],
  ["1.0E+21", 1e21],
  ["100000000000000000000000", 1e23],
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", 9007199254740992],
  ["5e-324", 5e-324],
  ["0x1f", 31],
])("findChangedNumber: %s stays", (source, value) => {
  expect(findChangedNumber(source, value)).toBeUndefined();
});

test.each([
  ["9007199254740993", "9007199254740992"],
  ["-9007199254740993", "-9007199254740992"],
  ["12345678901234567890", "12345678901234567000"],
  ["0.1234567890123456789", "0.12345678901234568"],
  ["1e400", "null"],
  ["-1e400", "null"],
  ["1e-400", "0"],
  ["0x20000000000001", "9007199254740992"],
])("findChangedNumber: %s becomes %s", (source, sent) => {
  expect(findChangedNumber(source, Number(source))).toBe(sent);
});

test("findChangedNumber: numbers of YAML that JSON has not", () => {
  expect(findChangedNumber(".inf", Infinity)).toBe("null");
  expect(findChangedNumber(".nan", NaN)).toBe("null");
});

test("describeChange shows a long number cut", () => {
  expect(describeNumberChange("1", 1)).toBeUndefined();
  const long = "9".repeat(quotedCharactersMax + 1);
  expect(describeNumberChange(long, Number(long))).toStartWith(
    `the number ${"9".repeat(quotedCharactersMax)}… would become 1e+`,
  );
});
