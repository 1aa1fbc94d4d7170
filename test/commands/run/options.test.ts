import { describe, expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import {
  parseRunOptions,
  riskOption,
  runOptionSpecs,
  tokenizerOption,
} from "#commands/run/options.ts";
import { thrownBy } from "../../support/folder.ts";

describe("parseRunOptions", () => {
  test("of nothing is the defaults", () => {
    expect(parseRunOptions({})).toMatchObject({
      server: undefined,
      tokenizer: "auto",
      model: undefined,
      client: undefined,
      windowTokens: undefined,
      risk: [1_000, 4_000, 8_000],
      log: undefined,
      isLogSynced: false,
      summary: "table",
      summaryFile: undefined,
      exitCode: "auto",
    });
  });

  const read: readonly (readonly [raw: RawOptions, understood: object])[] = [
    [{ server: "mine" }, { server: "mine" }],
    [{ server: ["a", "b"] }, { server: "b" }],
    [{ tokenizer: "claude-legacy" }, { tokenizer: "claude-legacy" }],
    [{ window: "1000000" }, { windowTokens: 1_000_000 }],
    [{ risk: "1,2,3" }, { risk: [1, 2, 3] }],
    [{ risk: " 10 , 20 , 30 " }, { risk: [10, 20, 30] }],
    [{ log: "-" }, { log: "-" }],
    [{ log: "off" }, { log: "off" }],
    [{ "log-fsync": true }, { isLogSynced: true }],
    [{ "log-fsync": "0" }, { isLogSynced: false }],
    [{ summary: "off" }, { summary: "off" }],
    [
      { summary: "markdown", "summary-file": "s.md" },
      { summary: "markdown", summaryFile: "s.md" },
    ],
    [{ "exit-code": "child" }, { exitCode: "child" }],
  ];
  for (const [raw, understood] of read) {
    test(`${JSON.stringify(raw)} is understood`, () => {
      expect(parseRunOptions(raw)).toMatchObject(understood);
    });
  }

  const rising = "three rising numbers of tokens such as 1000,4000,8000";
  const refused: readonly (readonly [raw: RawOptions, said: string])[] = [
    [{ window: "0" }, '--window must be a whole number of at least 1, not "0"'],
    [{ window: "200k" }, '--window must be a whole number of at least 1, not "200k"'],
    [{ summary: "pdf" }, '--summary must be one of table, markdown, json, off, not "pdf"'],
    [{ "exit-code": "0" }, '--exit-code must be one of auto, child, not "0"'],
    [{ "log-fsync": "often" }, '--log-fsync must be true or false, not "often"'],
    [{ server: "" }, "--server requires a value"],
    ...["", "1,2", "1,2,3,4", "3,2,1", "1,1,2", "0,1,2", "a,b,c", "1,,3", "1.5,2,3", "1,2,1e400"]
      .filter((text) => text !== "")
      .map((text) => [{ risk: text }, `--risk must be ${rising}, not "${text}"`] as const),
  ];
  for (const [raw, said] of refused) {
    test(`${JSON.stringify(raw)} is refused in one sentence`, () => {
      expect(thrownBy(() => parseRunOptions(raw))).toBe(said);
    });
  }

  test("every option that may be written has a line of help", () => {
    for (const { describe: said } of Object.values(runOptionSpecs))
      expect(said).toMatch(/^\S.*[^.]$/);
  });
});

test("a tokenizer is one of the table, no member of every object", () => {
  for (const id of ["o200k", "words", "auto"] as const)
    expect(tokenizerOption({ tokenizer: id })).toBe(id);
  for (const tokenizer of ["O200K", "toString", "__proto__", "gpt-4o"]) {
    const sentence = thrownBy(() => tokenizerOption({ tokenizer }));
    expect(sentence).toStartWith("--tokenizer must be one of auto, o200k,");
    expect(sentence).toEndWith(`, not "${tokenizer}"`);
  }
});

test("risk thresholds are the last that were written", () => {
  expect(riskOption({ risk: ["1,2,3", "4,5,6"] })).toEqual([4, 5, 6]);
});
