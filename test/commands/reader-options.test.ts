import { describe, expect, test } from "bun:test";
import {
  parseReaderOptions,
  readerOptionGroup,
  parseRisk,
  parseTokenizer,
} from "#commands/reader-options.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { thrownBy } from "../support/folder.ts";

test("parseReaderOptions names no reader by default", () => {
  expect(parseReaderOptions({})).toEqual({
    tokenizer: "auto",
    model: undefined,
    client: undefined,
    windowTokens: undefined,
  });
});

test("parseReaderOptions reads tokenizer, model, client and window", () => {
  const raw = { tokenizer: "claude-legacy", model: "m", "as-client": "c", window: "1000000" };
  expect(parseReaderOptions(raw)).toEqual({
    tokenizer: "claude-legacy",
    model: "m",
    client: "c",
    windowTokens: 1_000_000,
  });
});

test.each(["0", "lots"])("a window of %s is refused", (window) => {
  expect(thrownBy(() => parseReaderOptions({ window }))).toBe(
    `--window must be a whole number of at least 1, not "${window}"`,
  );
});

test("a tokenizer is one of the table, not a member of every object", () => {
  for (const id of ["o200k", "words", "auto"] as const) {
    expect(parseTokenizer({ tokenizer: id })).toBe(id);
  }
  for (const tokenizer of ["O200K", "toString", "__proto__", "gpt-4o"]) {
    const refused = thrownBy(() => parseTokenizer({ tokenizer }));
    expect(refused).toStartWith("--tokenizer must be one of auto, o200k,");
    expect(refused).toEndWith(`not "${tokenizer}"`);
  }
});

describe("parseRisk", () => {
  test("reads three increasing numbers, the last of several values", () => {
    expect(parseRisk({})).toBeUndefined();
    expect(parseRisk({ risk: " 10 , 20 , 30 " })).toEqual([10, 20, 30]);
    expect(parseRisk({ risk: ["1,2,3", "4,5,6"] })).toEqual([4, 5, 6]);
  });

  test("has the default shown in the help", () => {
    const { default: risk = "" } = readerOptionGroup.options["risk"] ?? {};
    expect(parseRisk({ risk })).toEqual(riskThresholdsDefault);
  });

  test.each(["1,2", "1,2,3,4", "3,2,1", "1,1,2", "0,1,2", "a,b,c", "1,,3", "1.5,2,3", "1,2,1e400"])(
    "refuses %s",
    (risk) => {
      expect(thrownBy(() => parseRisk({ risk }))).toBe(
        `--risk must be three increasing numbers of tokens such as 1000,4000,8000, not "${risk}"`,
      );
    },
  );
});
