import { describe, expect, test } from "bun:test";
import { parseJsonc } from "#kit/syntax/jsonc.ts";
import { parseYaml } from "#kit/syntax/yaml.ts";
import type { EntryLocation } from "#clients/wrapping/entry-layout.ts";
import { unwrapEntries, wrapEntries } from "#clients/wrapping/edit-entries.ts";
import { front, wrapFixtures } from "../../support/wrapping.ts";
import type { SettingsLanguage } from "#clients/configured-entries.ts";

function parseValue(text: string, language: SettingsLanguage): unknown {
  if (language === "toml") return Bun.TOML.parse(text);
  const read = language === "yaml" ? parseYaml(text) : parseJsonc(text);
  if ("fault" in read) throw new Error(read.fault);
  return read.value;
}

function split(value: unknown, path: EntryLocation["path"]): { node: unknown; remainder: unknown } {
  const [step, ...more] = path;
  if (step === undefined) return { node: value, remainder: null };
  const members: readonly (readonly [string, unknown])[] = Object.entries(Object(value));
  const inner = split(members.find(([name]) => name === String(step))?.[1], more);
  const remainder = members.map(([name, member]) => [
    name,
    name === String(step) ? inner.remainder : member,
  ]);
  return { node: inner.node, remainder: remainder };
}

function readEntry(value: unknown, { path, form }: EntryLocation) {
  const { node, remainder } = split(value, form === "nested" ? [...path, "command"] : path);
  const name = { command: "command", cmd: "cmd", array: "command", nested: "path" }[form];
  const { [name]: command, args = [], ...others } = Object(node);
  return { words: [command, args].flat(), others, rest: remainder };
}

const wrapOne = (text: string, language: SettingsLanguage, entryPlace: EntryLocation) =>
  wrapEntries({ text, language }, [{ ...entryPlace, front }]);

const unwrapOne = (text: string, language: SettingsLanguage, entryPlace: EntryLocation) =>
  unwrapEntries({ text, language }, [{ ...entryPlace, count: front.length }]);

describe.each(wrapFixtures)("$name", ({ text, language, place: entryPlace }) => {
  const wrapped = wrapOne(text, language, entryPlace);

  test("means the same with the command moved behind --", () => {
    expect([...wrapped.refused.values()]).toEqual([]);
    const before = readEntry(parseValue(text, language), entryPlace);
    const after = readEntry(parseValue(wrapped.text, language), entryPlace);
    expect(after).toEqual({ ...before, words: [...front, ...before.words] });
  });

  test("comes back byte for byte", () => {
    expect(unwrapOne(wrapped.text, language, entryPlace).text).toBe(text);
  });

  test("comes back after changes elsewhere, which stay", () => {
    const mark = language === "json" ? "/* mine */" : "# mine\n";
    const end = `${wrapped.text}${wrapped.text.endsWith("\n") ? "" : "\n"}${mark}`;
    const back = unwrapOne(end, language, entryPlace);
    expect(back.text).toBe(`${text}${text.endsWith("\n") ? "" : "\n"}${mark}`);
  });

  test("comes back after a person added an option in front of --", () => {
    const isBlock = /- "--server"/.test(wrapped.text);
    const added = isBlock ? '"--annotate"\n    - ' : '"--annotate",';
    const edited = wrapped.text.replace('"--server"', `${added}"--server"`);
    const place2 = { ...entryPlace, count: front.length + 1 };
    expect(unwrapEntries({ text: edited, language }, [place2]).text).toBe(text);
  });
});

const json = (text: string, path: EntryLocation["path"] = ["s", "a"]) =>
  wrapOne(text, "json", { path, form: "command" });

describe("an entry is refused", () => {
  test.each([
    ["duplicate", '{"s":{"a":{"command":"x"},"a":{"command":"y"}}}'],
    ["duplicate", '{"s":{"a":{"command":"x","command":"y"}}}'],
    ["duplicate", '{"s":{"a":{"command":"x","args":[],"args":[]}}}'],
    ["missing", '{"s":{}}'],
    ["missing", '{"s":{"a":{}}}'],
    ["layout", '{"s":{"a":{"command":1}}}'],
    ["not_a_list", '{"s":{"a":{"command":"x","args":"y"}}}'],
    ["unparsable", '{"s":'],
    ["unparsable", "[".repeat(200_000)],
  ] as const)("%s: %s", (reason, text) => {
    const { refused, text: after } = json(text);
    expect([[...refused.values()], after]).toEqual([[reason], text]);
  });

  test.each([
    ["special_syntax", "s:\n  a: &x\n    command: c\n  b: *x\n"],
    ["special_syntax", "s:\n  a: {command: *x}\nx: &x c\n"],
    ["special_syntax", "s:\n  a:\n    command: &x c\n"],
    ["special_syntax", "s:\n  a:\n    command: !!str c\n"],
    ["special_syntax", "x: &x [a]\ns:\n  a:\n    command: c\n    args: *x\n"],
    ["missing", "x: &x {command: c}\ns:\n  a:\n    <<: *x\n"],
    ["layout", "s:\n  a:\n    command: |\n      c\n"],
    ["layout", 's:\n  a:\n    command: "c\n      d"\n'],
    ["duplicate", "s:\n  a:\n    command: c\n    command: d\n"],
    ["unparsable", "s:\n  a: [\n"],
    ["unparsable", "s: 1\n---\ns: 2\n"],
  ] as const)("%s: %j", (reason, text) => {
    const { refused, text: after } = wrapOne(text, "yaml", { path: ["s", "a"], form: "command" });
    expect([[...refused.values()], after]).toEqual([[reason], text]);
  });

  test("and the others of its file are wrapped all the same", () => {
    const text = '{"s":{"a":{"command":1},"b":{"command":"x"}}}';
    const changes = ["a", "b"].map((name) => ({
      path: ["s", name],
      form: "command" as const,
      front,
    }));
    const { refused, text: after } = wrapEntries({ text, language: "json" }, changes);
    expect([...refused].map(([{ path }, reason]) => [path[1], reason])).toEqual([["a", "layout"]]);
    expect(after).toContain('{"command":1},"b":{"command":"/opt/my tools/mcp-meter"');
  });

  test("also when it is inside another one", () => {
    const text = '{"s":{"command":["x",{"command":["y"]}]}}';
    const changes = [["s"], ["s", "command", 1]].map((path) => {
      return { path, form: "array" as const, front };
    });
    const { refused, text: after } = wrapEntries({ text, language: "json" }, changes);
    expect([refused.size, after]).toEqual([2, text]);
  });
});

describe("an entry that is hostile", () => {
  test.each([
    '{"s":{"a":{"command":"__proto__","args":["constructor"]},"__proto__":{"command":"x"}}}',
    '{"s":{"a":{"command":"\\u0000\\ud83d\\ude00\\"","args":["\\n"]}}}',
    '{"s":{"a":{"command":"mcp-meter --","args":["--"]}}}',
    '{"s":{"a":{"args":[],"command":"x"}}}',
    '{"s":{"a":{"command":"x","args":[ ]}}}',
    '{"s":{"a":{"command":"x","args":[/* none */]}}}',
    '{"s":{"a":{"command":"x","args":[1,null,{"a":[]},"b",]}}}',
    '{"s":{"a":{"command":"x","args":[\n// one\n\r\n"b"\n]}}}',
  ])("comes back: %s", (text) => {
    const { text: after, refused } = json(text);
    expect([...refused.values()]).toEqual([]);
    expect(unwrapOne(after, "json", { path: ["s", "a"], form: "command" }).text).toBe(text);
  });

  test("__proto__ is a name as any other", () => {
    const text = '{"s":{"__proto__":{"command":"x"}}}';
    const { text: after } = json(text, ["s", "__proto__"]);
    expect(after).toContain('"command":"/opt/my tools/mcp-meter"');
  });
});

test("an empty list that was there stays, and one that was not goes", () => {
  for (const text of ['{"s":{"a":{"command":"x","args":[]}}}', '{"s":{"a":{"command":"x"}}}']) {
    expect(unwrapOne(json(text).text, "json", { path: ["s", "a"], form: "command" }).text).toBe(
      text,
    );
  }
});

test("a list that lost its own arguments meanwhile is empty, in each language", () => {
  const entryPlace = { path: ["s", "a"], form: "command" } as const;
  const flow = wrapOne('{"s":{"a":{"command":"x","args":["y"]}}}', "json", entryPlace).text;
  expect(unwrapOne(flow.replace(', "y"', ","), "json", entryPlace).text).toBe(
    '{"s":{"a":{"command":"x","args":[]}}}',
  );
  for (const indent of ["    ", "      "]) {
    const text = `s:\n  a:\n    command: x\n    args:\n${indent}- y\n`;
    const block = wrapOne(text, "yaml", entryPlace).text;
    expect(unwrapOne(block.replace(`${indent}- y\n`, ""), "yaml", entryPlace).text).toBe(
      "s:\n  a:\n    command: x\n    args:\n      []\n",
    );
  }
});
