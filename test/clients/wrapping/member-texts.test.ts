import { describe, expect, test } from "bun:test";
import { treeParsers, applyEdits } from "#clients/wrapping/change-text.ts";
import { findUniqueMember } from "#clients/wrapping/entry-layout.ts";
import {
  editMembers,
  readMemberText,
  type MemberTexts,
  areTextsApplied,
} from "#clients/wrapping/member-texts.ts";
import type { SettingsLanguage } from "#clients/configured-entries.ts";

const none: MemberTexts = {
  renamed: [],
  inner: [],
  replaced: [],
  values: [],
  removed: [],
  after: [],
};

function changed(language: SettingsLanguage, text: string, texts: Partial<MemberTexts>): string {
  const root = treeParsers[language](text);
  if ("fault" in root) throw new Error(root.fault);
  const made = editMembers(text, root, { ...none, ...texts });
  if (typeof made === "string") return made;
  return applyEdits(text, made.edits) ?? "overlap";
}

const rename = { renamed: [{ from: "a", keys: ["z"] }], after: ["z"] };

test("a member is renamed in each of its places", () => {
  expect(changed("toml", "[a]\nb = 1\n[a.c]\n", rename)).toBe("[z]\nb = 1\n[z.c]\n");
  expect(changed("toml", "a.b = 1\na.c = 2", rename)).toBe("z.b = 1\nz.c = 2");
  const two = { renamed: [{ from: "a", keys: ["'z'", "z"] }] };
  expect(changed("toml", "a.b = 1\na.c = 2", two)).toBe("'z'.b = 1\nz.c = 2");
  expect(changed("yaml", '"a" : 1', rename)).toBe("z : 1");
});

test("members inside one are renamed, and values written", () => {
  const inner = [{ of: "a", from: "b", keys: ["z"] }];
  expect(changed("toml", "[a]\nb = 1", { inner })).toBe("[a]\nz = 1");
  const values = [{ of: "a", text: "'z'" }];
  expect(changed("yaml", "a: b # c", { values })).toBe("a: 'z' # c");
});

describe("a text in the place of members", () => {
  const replaced = [{ from: ["a", "b"], text: '"z":0' }];

  test.each([
    ["that follow each other", '{"a":1, "b":2,"c":3}', '{"z":0,"c":3}'],
    ["with another one between", '{"a":1,"c":3,"b":2}', '{"z":0,"c":3}'],
    ["in another order", '{"b":2,"a":1}', '{"z":0}'],
    ["with a comment between", '{"a":1,/* x */"b":2,}', '{"z":0,}'],
  ])("%s", (_, text, wanted) => {
    expect(changed("json", text, { replaced })).toBe(wanted);
  });

  test("removes whole lines of YAML and TOML alone", () => {
    const lines = [{ from: ["a", "b"], text: "z: 0" }];
    expect(changed("yaml", "b:\n- 1\n- 2\nc: 3\na: 1\n", { replaced: lines })).toBe("c: 3\nz: 0\n");
    expect(changed("yaml", "b: 1 # mine\nc: 3\na: 1\n", { replaced: lines })).toBe("layout");
    const toml = [{ from: ["a", "b"], text: "z = 0" }];
    expect(changed("toml", "b = 1\nc = 2\na = 3", { replaced: toml })).toBe("c = 2\nz = 0");
  });
});

test("members are removed", () => {
  expect(changed("json", '{"a":1}', { removed: ["a"] })).toBe("{}");
  expect(changed("json", '{"a":1,"b":2}', { removed: ["b"] })).toBe('{"a":1}');
});

test.each<readonly [string, SettingsLanguage, string, Partial<MemberTexts>]>([
  ["missing", "json", "{}", rename],
  ["duplicate", "json", '{"a":1,"a":2}', rename],
  ["special_syntax", "yaml", "a: &x 1", rename],
  ["missing", "json", '{"a":1}', { replaced: [{ from: ["a", "b"], text: "" }] }],
  ["duplicate", "json", '{"a":1,"a":2}', { replaced: [{ from: ["a"], text: "" }] }],
  ["special_syntax", "yaml", "a: &x 1", { replaced: [{ from: ["a"], text: "" }] }],
])("refused: %s in %s %s", (reason, language, text, texts) => {
  expect(changed(language, text, texts)).toBe(reason);
});

test("an entry has its new members, and no longer the old ones", () => {
  const root = treeParsers.json('{"z":1}');
  if ("fault" in root) throw new Error(root.fault);
  expect(areTextsApplied(root, { ...none, ...rename })).toBe(true);
  expect(areTextsApplied(root, { ...none, renamed: [{ from: "z", keys: ["a"] }], after: [] })).toBe(
    false,
  );
  expect(areTextsApplied(root, { ...none, after: ["a"] })).toBe(false);
  expect(areTextsApplied("missing", none)).toBe(false);
});

test("the text of a member ends behind its value", () => {
  const text = "a:\n- 1\n\nb: 2\n";
  const root = treeParsers.yaml(text);
  const member = "fault" in root ? undefined : findUniqueMember(root, "a");
  expect(typeof member === "object" && readMemberText(text, member)).toBe("a:\n- 1");
});
