import { describe, expect, test } from "bun:test";
import { configBytesMax } from "#limits.ts";
import { readConfigFile } from "#storage/config-file.ts";
import { Folder, thrownBy } from "../support/folder.ts";

function read(text: string): { readonly [name: string]: unknown } {
  using folder = new Folder();
  return readConfigFile(folder.file("config.json", text));
}

/** The sentence, with the file's name instead of its path. */
function complaint(text: string): string {
  using folder = new Folder();
  return thrownBy(() => readConfigFile(folder.file("c.json", text))).replace(
    folder.at("c.json"),
    "c.json",
  );
}

describe("readConfigFile", () => {
  test("gives options as if they had been written as flags", () => {
    const text = `{
      // how to count
      "$schema": "https://example.org/schema.json",
      "server": "garden", "tokenizer": "o200k", "model": "m", "client": "c",
      "window": 1000, "risk": [1, 2, 3], "log": "-", "log_fsync": true,
      "slow": 2.5, "summary": "json", "summary_file": "s.md", "exit_code": "child", /* done */
    }`;
    expect(read(text)).toEqual({
      server: "garden",
      tokenizer: "o200k",
      model: "m",
      client: "c",
      window: "1000",
      risk: "1,2,3",
      log: "-",
      "log-fsync": true,
      slow: "2.5",
      summary: "json",
      "summary-file": "s.md",
      "exit-code": "child",
    });
  });

  test("an empty object sets nothing", () => {
    expect(read("{}")).toEqual({});
  });

  const rows: readonly (readonly [text: string, reason: string | RegExp])[] = [
    ["", "line 1: not valid JSON: a value is missing"],
    ['{\n"server": }', "line 2: not valid JSON: a value is missing"],
    ["{server: 1}", "line 1: not valid JSON: a word is not true, false or null"],
    ["{1: 1}", "line 1: not valid JSON: a property name is missing"],
    ['{"server": "x', "line 1: not valid JSON: a text is not closed"],
    ["[]", "it must be an object, not a list"],
    ['{"sever": "x"}', 'unknown property "sever" (did you mean "server"?)'],
    ['{"colour": "red"}', 'unknown property "colour"'],
    ['{"window": "many"}', 'window must be a whole number of at least 1, not "many"'],
    ['{"slow": 0}', "slow must be a number from 0.001 to 86400, not 0"],
    ['{"window": -1}', "window must be a whole number of at least 1, not -1"],
    ['{"window": 1.5}', "window must be a whole number of at least 1, not 1.5"],
    ['{"window": 1e300}', "window must be a whole number of at least 1, not 1e+300"],
    ['{"warn_at": 101}', "warn_at must be a whole number from 1 to 100, not 101"],
    ['{"risk": [1, 2]}', "risk must be a list of 3 items, not 2"],
    ['{"risk": [1, "2", 3]}', 'risk[1] must be a whole number of at least 1, not "2"'],
    ['{"summary": "pdf"}', 'summary must be "table", "markdown", "json" or "off", not "pdf"'],
    ['{"server": ""}', "server must not be empty"],
    ['{"log_fsync": "yes"}', 'log_fsync must be true or false, not "yes"'],
    ['{"budgets": [{"limt": 5}]}', 'unknown property "limt" in budgets[0] (did you mean "limit"?)'],
    [
      '{"budgets": [{"limit": 5}, {"tool": "a"}]}',
      "budgets[1].limit is required and must be a whole number of at least 0 or non-empty text",
    ],
    [
      '{"budgets": [{"__proto__": {"limit": 5}}]}',
      "budgets[0].limit is required and must be a whole number of at least 0 or non-empty text",
    ],
    ["[".repeat(configBytesMax), "line 1: it is nested too deeply"],
  ];
  for (const [text, reason] of rows) {
    test(`${JSON.stringify(text.slice(0, 60))} is rejected in one sentence`, () => {
      const prefix = 'Cannot read the config "c.json": ';
      const sentence = complaint(text);
      expect(sentence).toStartWith(prefix);
      expect(sentence.slice(prefix.length)).toMatch(
        typeof reason === "string" ? new RegExp(`^${RegExp.escape(reason)}$`) : reason,
      );
      expect(sentence).not.toMatch(/\n|\.$| {2}/);
    });
  }

  test("an empty list of budgets is none", () => {
    expect(read('{"budgets": []}')).toEqual({ budgets: "[]" });
  });

  test("a file that is not there, and one that is a directory", () => {
    using folder = new Folder();
    expect(thrownBy(() => readConfigFile(folder.at("no.json")))).toContain(
      "no such file or directory",
    );
    expect(thrownBy(() => readConfigFile(folder.path))).toContain(": it is a directory");
  });

  test(`${configBytesMax} bytes are read, one more is not`, () => {
    expect(read(padded(configBytesMax))).toEqual({});
    expect(complaint(padded(configBytesMax + 1))).toContain(
      `it has more than ${configBytesMax} bytes`,
    );
  });
});

function padded(size: number): string {
  return "{}".padEnd(size, " ");
}
