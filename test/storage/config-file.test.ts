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
      "summary": "json", "summary_file": "s.md", "exit_code": "child", /* done */
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
      summary: "json",
      "summary-file": "s.md",
      "exit-code": "child",
    });
  });

  test("an empty object sets nothing", () => {
    expect(read("{}")).toEqual({});
  });

  const rows: readonly (readonly [text: string, said: RegExp])[] = [
    ["", /^Cannot read the config "c\.json": line 1: \w+, it must be JSON$/],
    ['{\n"server": }', /^Cannot read the config "c\.json": line 2: \w+, it must be JSON$/],
    ["[]", /^Cannot read the config "c\.json": \S.*$/],
    ['{"sever": "x"}', /^Cannot read the config "c\.json": \S.*sever/],
    ['{"window": "many"}', /^Cannot read the config "c\.json": "window": \S/],
    ['{"window": -1}', /^Cannot read the config "c\.json": "window": \S/],
    ['{"window": 1.5}', /^Cannot read the config "c\.json": "window": \S/],
    ['{"risk": [1, 2]}', /^Cannot read the config "c\.json": "risk": \S/],
    ['{"risk": [1, "2", 3]}', /^Cannot read the config "c\.json": "risk\.1": \S/],
    ['{"summary": "pdf"}', /^Cannot read the config "c\.json": "summary": \S/],
    ['{"server": ""}', /^Cannot read the config "c\.json": "server": \S/],
    ['{"log_fsync": "yes"}', /^Cannot read the config "c\.json": "log_fsync": \S/],
  ];
  for (const [text, said] of rows) {
    test(`${JSON.stringify(text)} is told in one sentence without a period`, () => {
      const sentence = complaint(text);
      expect(sentence).toMatch(said);
      expect(sentence).not.toMatch(/\n|\.$| {2}/);
    });
  }

  test("a file that is not there, and one that is a directory", () => {
    using folder = new Folder();
    expect(thrownBy(() => readConfigFile(folder.at("no.json")))).toContain(
      "ENOENT, it must be a readable JSON file",
    );
    expect(thrownBy(() => readConfigFile(folder.path))).toContain("EISDIR");
  });

  test(`${configBytesMax} bytes are read, one more is not`, () => {
    expect(read(padded(configBytesMax))).toEqual({});
    expect(complaint(padded(configBytesMax + 1))).toContain(
      `it is ${configBytesMax + 1} bytes long`,
    );
  });
});

function padded(size: number): string {
  return "{}".padEnd(size, " ");
}
