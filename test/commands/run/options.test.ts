import { describe, expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import { parseRunOptions, type RunOptions } from "#commands/run/options.ts";
import { thrownBy } from "../../support/folder.ts";

const parse = (options: RawOptions): RunOptions =>
  parseRunOptions({ options, operands: [], child: ["server", "--flag"] });

describe("parseRunOptions", () => {
  test("returns the defaults, and the server's command verbatim", () => {
    expect(parse({})).toMatchObject({
      command: ["server", "--flag"],
      server: undefined,
      tokenizer: "auto",
      model: undefined,
      client: undefined,
      windowTokens: undefined,
      risk: [1_000, 4_000, 8_000],
      budgets: [],
      log: undefined,
      isLogSynced: false,
      slowMs: undefined,
      isAnnotating: false,
      summary: "table",
      summaryFile: undefined,
      exitCode: "auto",
    });
  });

  const valid: readonly (readonly [raw: RawOptions, parsed: object])[] = [
    [{ server: "mine" }, { server: "mine" }],
    [{ server: ["a", "b"] }, { server: "b" }],
    [{ risk: "1,2,3" }, { risk: [1, 2, 3] }],
    [{ log: "-" }, { log: "-" }],
    [{ log: "off" }, { log: "off" }],
    [{ "log-fsync": true }, { isLogSynced: true }],
    [{ "log-fsync": "0" }, { isLogSynced: false }],
    [{ slow: "2.5" }, { slowMs: 2_500 }],
    [{ slow: ["2", "off"] }, { slowMs: undefined }],
    [{ annotate: "yes" }, { isAnnotating: true }],
    [{ summary: "off" }, { summary: "off" }],
    [
      { summary: "markdown", "summary-file": "s.md" },
      { summary: "markdown", summaryFile: "s.md" },
    ],
    [{ "exit-code": "child" }, { exitCode: "child" }],
  ];
  for (const [raw, parsed] of valid) {
    test(`${JSON.stringify(raw)} is valid`, () => {
      expect(parse(raw)).toMatchObject(parsed);
    });
  }

  const refused: readonly (readonly [raw: RawOptions, sentence: string])[] = [
    [{ summary: "pdf" }, '--summary must be one of table, markdown, json, off, not "pdf"'],
    [{ "exit-code": "0" }, '--exit-code must be one of auto, child, not "0"'],
    [{ "log-fsync": "often" }, '--log-fsync must be true or false, not "often"'],
    [
      { slow: "soon" },
      '--slow must be more than 0 and at most 86400 seconds, such as 30 or 2m, not "soon"',
    ],
    [{ server: "" }, "--server requires a value"],
  ];
  for (const [raw, sentence] of refused) {
    test(`${JSON.stringify(raw)} is refused in one sentence`, () => {
      expect(thrownBy(() => parse(raw))).toBe(sentence);
    });
  }

  test("refuses words before the --, and a missing command", () => {
    const args = { options: {}, operands: [], child: undefined };
    expect(thrownBy(() => parseRunOptions(args))).toStartWith("missing command");
    expect(thrownBy(() => parseRunOptions({ ...args, child: [] }))).toStartWith("missing command");
    const words = { ...args, operands: ["npx", "server"], child: ["x"] };
    expect(thrownBy(() => parseRunOptions(words))).toStartWith('unknown command "npx"');
  });
});
