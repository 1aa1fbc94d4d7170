import { describe, expect, test } from "bun:test";
import {
  configMistakesMax,
  readConfigFile,
  readConfigLeniently,
  configBytesMax,
} from "#state/storage/config/config-file.ts";
import { Folder, thrownBy } from "../../../support/folder.ts";

function read(text: string): { readonly [name: string]: unknown } {
  using folder = new Folder();
  return Object.fromEntries(readConfigFile(folder.file("config.json", text)).general);
}

function leniently(text: string) {
  using folder = new Folder();
  const { layer, mistakes } = readConfigLeniently(folder.file("config.json", text));
  const servers = [...layer.servers].map(([name, options]) => [name, Object.fromEntries(options)]);
  return {
    general: Object.fromEntries(layer.general),
    servers: Object.fromEntries(servers),
    mistakes: mistakes.map(({ fault, cause: what }) => [fault, what]),
  };
}

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
      "as-client": "c",
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
    [
      "{server: 1}",
      "line 1: not valid JSON: a word not in double quotes must be true, false or null",
    ],
    ["{1: 1}", "line 1: not valid JSON: a property name is missing"],
    ['{"server": "x', "line 1: not valid JSON: a string is not closed"],
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
    ['{"budgets": [{"__proto__": {"limit": 5}}]}', 'unknown property "__proto__" in budgets[0]'],
    ["[".repeat(configBytesMax), "line 1: nested too deeply"],
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

  test("an empty list of budgets, or of tools to hide, is none", () => {
    expect(read('{"budgets": []}')).toEqual({ budgets: "[]" });
    expect(read('{"hide": [], "only": []}')).toEqual({ hide: [], only: [] });
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
      `it is larger than ${configBytesMax} bytes`,
    );
  });
});

describe("sections of servers", () => {
  test("have options of their own", () => {
    using folder = new Folder();
    const text = `{"model": "m", "servers": {
      "git hub": {"window": 5, "budgets": [{"limit": 1}], "log_fsync": true}, "b": {},
    }}`;
    const { servers } = readConfigFile(folder.file("c.json", text));
    expect([...servers.keys()]).toEqual(["git hub", "b"]);
    expect(Object.fromEntries(servers.get("git hub") ?? [])).toEqual({
      window: "5",
      budgets: '[{"limit":1}]',
      "log-fsync": true,
    });
  });

  const rows: readonly (readonly [text: string, reason: string])[] = [
    ['{"servers": []}', "servers must be an object, not a list"],
    ['{"servers": {"a": 1}}', "servers.a must be an object, not 1"],
    [
      '{"servers": {"a": {"windwo": 1}}}',
      'unknown property "windwo" in servers.a (did you mean "window"?)',
    ],
    ['{"servers": {"a": {"server": "b"}}}', 'unknown property "server" in servers.a'],
    [
      '{"servers": {"a": {"window": 0}}}',
      "servers.a.window must be a whole number of at least 1, not 0",
    ],
  ];
  for (const [text, reason] of rows) {
    test(`${text} is rejected`, () => expect(complaint(text)).toEndWith(`: ${reason}`));
  }
});

describe("readConfigLeniently", () => {
  test("keeps everything but the mistakes", () => {
    const text = `{
      "window": 0, "modle": "m", "model": "kept", "risk": [1, 2],
      "budgets": [{"limit": 5}, {"limt": 6}, {"limit": 7, "per": "year"}, {"limit": 8}],
      "servers": {"a": {"window": -1, "log": "-"}, "b": 7, "c": {"budgets": [{}, {"limit": 9}]}},
    }`;
    const { general, servers, mistakes } = leniently(text);
    expect(general).toEqual({ model: "kept", budgets: '[{"limit":5},{"limit":8}]' });
    expect(servers).toEqual({ a: { log: "-" }, c: { budgets: '[{"limit":9}]' } });
    const whats = mistakes.map(([, what]) => String(what));
    expect(whats.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      "budgets[1]",
      "risk",
      "servers.(name)",
      "servers.(name).budgets[0]",
      "servers.(name).window",
      "unknown property",
      "unknown property",
      "window",
    ]);
  });

  test("a file that is not JSON has one mistake, and no options but a wish to refuse calls", () => {
    expect(leniently('{"window": 5, "on_fault": "closed" "model": "m"}')).toEqual({
      general: { "on-fault": "closed" },
      servers: {},
      mistakes: [["line 1: not valid JSON: a comma is missing", "not valid JSON on line 1"]],
    });
    expect(leniently('{"on_fault": "open",, }').general).toEqual({});
  });

  test("a file that cannot be read, and one that is not an object", () => {
    using folder = new Folder();
    const { mistakes } = readConfigLeniently(folder.path);
    expect(mistakes).toEqual([{ file: folder.path, fault: "EISDIR", cause: "EISDIR" }]);
    expect(leniently("[1]").mistakes).toEqual([
      ["it must be an object, not a list", "not an object"],
    ]);
  });

  test("no mistake for the record quotes the file", () => {
    const secret = "hunter2";
    const text = `{"${secret}": 1, "window": "${secret}", "servers": {"${secret}": {"log": 7, "${secret}": 1}, "x": "${secret}"}}`;
    const whats = leniently(text).mistakes.map(([, what]) => what);
    expect(whats).toHaveLength(5);
    expect(whats.join()).not.toContain(secret);
  });

  test(`${configMistakesMax} mistakes are left out, one more costs the whole file`, () => {
    expect(leniently(emptyBudgets(configMistakesMax)).general).toEqual({
      model: "m",
      budgets: "[]",
    });
    const { general, mistakes } = leniently(emptyBudgets(configMistakesMax + 1));
    expect([general, mistakes.length]).toEqual([{}, configMistakesMax]);
  });

  test("a member named __proto__ is unknown, and no prototype", () => {
    const { general, mistakes } = leniently('{"__proto__": {"window": "x"}, "model": "m"}');
    expect([general, mistakes]).toEqual([
      { model: "m" },
      [['unknown property "__proto__"', "unknown property"]],
    ]);
  });
});

function emptyBudgets(count: number): string {
  return JSON.stringify({ model: "m", budgets: Array.from({ length: count }, () => ({})) });
}

function padded(size: number): string {
  return "{}".padEnd(size, " ");
}
