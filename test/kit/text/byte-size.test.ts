import { expect, test } from "bun:test";
import { parseByteSize } from "#kit/text/numbers.ts";

test("parseByteSize reads decimal sizes", () => {
  const rows = [
    ["0", 0],
    ["2000", 2_000],
    ["20k", 20_000],
    ["500M", 500_000_000],
    ["1.1GB", 1_100_000_000],
    ["2T", 2e12],
  ] as const;
  for (const [text, bytes] of rows) expect(parseByteSize(text)).toBe(bytes);
  for (const text of ["", "M", "-1", "1.5", "1e3", "10 M", "1P", "9999999T"]) {
    expect(parseByteSize(text)).toBeUndefined();
  }
});
