import { expect, test } from "bun:test";
import { changeText, type ChangeOperations, treeParsers } from "#clients/wrapping/change-text.ts";
import { findUniqueMember } from "#clients/wrapping/entry-layout.ts";

const settings = { text: '{"a":1,"b":2}', language: "json" } as const;

type Writing = { readonly name: string; readonly literal: string };

const writing: ChangeOperations<Writing> = {
  plan(root, { name, literal }) {
    const member = findUniqueMember(root, name);
    if (typeof member !== "object") return "missing";
    const { start, end } = member.node;
    return { edits: [{ start, end, text: literal }], parent: root, editableNames: new Set([name]) };
  },
  isApplied: (_, { literal }) => literal !== "wrong",
  isReversible: (text) => !text.includes("for ever"),
};

const change = (...writings: readonly Writing[]) => changeText(settings, writings, writing);

test("changes are made together, and what they do not name stays", () => {
  const { text, refused } = change({ name: "a", literal: "3" }, { name: "b", literal: "[]" });
  expect([text, refused.size]).toEqual(['{"a":3,"b":[]}', 0]);
});

test.each([
  ["missing", { name: "c", literal: "1" }],
  ["meaning", { name: "a", literal: "{" }],
  ["meaning", { name: "a", literal: '1,"c":2' }],
  ["irreversible", { name: "a", literal: '"for ever"' }],
] as const)("%s: %j is refused, and the other change is made", (reason, wrong) => {
  const { text, refused } = change(wrong, { name: "b", literal: "3" });
  expect(text).toBe('{"a":1,"b":3}');
  expect([...refused]).toEqual([[wrong, reason]]);
});

test("changes of one place contradict each other", () => {
  const { text, refused } = change({ name: "a", literal: "3" }, { name: "a", literal: "4" });
  expect([text, [...refused.values()]]).toEqual([settings.text, ["meaning", "meaning"]]);
});

test("a text that cannot be parsed is refused, in each language", () => {
  for (const [language, text] of [
    ["json", "{"],
    ["toml", "a ="],
    ["yaml", "a: ["],
  ] as const) {
    expect(treeParsers[language](text)).toHaveProperty("fault");
    const { refused } = changeText({ text, language }, [{ name: "a", literal: "1" }], writing);
    expect([...refused.values()]).toEqual(["unparsable"]);
  }
});
