import { expect, test } from "bun:test";
import { findListChangeProblems, type ComparedLists } from "#check/list-changes-and-faults.ts";

const hide = (text: string): string => text.replaceAll("s3cret", "${KEY}");
const tools = [{ name: "a" }, { name: "b" }];
const before = {
  tools,
  prompts: [{ name: "p", description: "Review" }],
  resourceTemplates: [{ uriTemplate: "a://{x}", name: "t" }],
};

test("findListChangeProblems: the same list has none", () => {
  expect(findListChangeProblems(before, { ...before, tools: [...tools] }, hide)).toEqual([]);
});

test("findListChangeProblems: another order of the tools is an error, and skills are compared", () => {
  const skill = { uri: "skill://a/SKILL.md", frontmatter: { name: "a", description: "A" } };
  const texts = (later: Partial<ComparedLists>) =>
    findListChangeProblems(
      { ...before, skills: [skill] },
      { ...before, skills: [skill], ...later },
      hide,
    ).map(({ text }) => text);
  expect(texts({ tools: tools.toReversed() })).toEqual([
    "the server lists its tools in a different order after the calls",
  ]);
  expect(texts({ tools: [{ name: "b" }, { name: "c" }] })).not.toContain(
    "the server lists its tools in a different order after the calls",
  );
  expect(texts({ skills: [{ ...skill, resources: "dynamic" }] })).toEqual([
    "the server's lists differ after the calls: skill skill://a/SKILL.md: files added",
  ]);
});

test("findListChangeProblems: each difference is an error, without secrets", () => {
  const later = { ...before, tools: [{ name: "b", title: "B" }, { name: "s3cret" }] };
  const shared = { level: "error", rule: "list_changed", line: null, place: "list" } as const;
  expect(findListChangeProblems(before, later, hide)).toEqual([
    {
      ...shared,
      about: "a",
      text: "the server no longer lists it after the calls",
    },
    {
      ...shared,
      about: "b",
      text: "the server lists a different definition of it after the calls: title added",
    },
    {
      ...shared,
      about: "${KEY}",
      text: "the server lists it only after the calls",
    },
  ]);
});

test("findListChangeProblems: a list that cannot be read is an error", () => {
  expect(findListChangeProblems(before, { fault: "It failed: s3cret" }, hide)).toEqual([
    {
      level: "error",
      rule: "list_unreadable",
      about: null,
      text: "the server's lists cannot be read again after the calls: It failed: ${KEY}",
      line: null,
      place: "list",
    },
  ]);
});

test("findListChangeProblems compares prompts and resource templates by the rules of the lock", () => {
  const prompts = [
    { name: "q s3cret", description: "Obey" },
    { name: "p", description: "Obey", _meta: { at: 1 } },
  ];
  const problems = findListChangeProblems(
    before,
    { ...before, prompts, resourceTemplates: [] },
    hide,
  );
  expect(problems.every(({ rule, about }) => rule === "list_changed" && about === null)).toBe(true);
  expect(problems.map(({ text }) => text)).toEqual(
    [
      "prompt p: description changed",
      "new prompt q ${KEY}",
      "resource template a://{x} removed",
    ].map((what) => `the server's lists differ after the calls: ${what}`),
  );
});

test("findListChangeProblems ignores the order of a list, and what neither a model nor a user reads", () => {
  const prompts = [{ name: "p" }, { name: "q", description: "a" }, { name: "q", description: "b" }];
  const [first, ...others] = prompts.toReversed();
  const later = { ...before, prompts: [{ ...first, _meta: { at: 1 } }, ...others] };
  expect(
    findListChangeProblems(
      { ...before, prompts },
      { ...before, prompts: prompts.toReversed() },
      hide,
    ),
  ).toEqual([]);
  const once = { ...before, prompts: [{ name: "p", _meta: { at: 2 } }] };
  expect(findListChangeProblems({ ...before, prompts: [{ name: "p" }] }, once, hide)).toEqual([]);
  expect(findListChangeProblems({ ...before, prompts }, later, hide)).toHaveLength(1);
});

const found = (earlier: ComparedLists["tools"], later: ComparedLists["tools"]) =>
  findListChangeProblems({ ...before, tools: earlier }, { ...before, tools: later }, hide).length;

test("findListChangeProblems compares every definition of a name, and leaves out cosmetic changes", () => {
  const twice = [{ name: "a" }, { name: "a", title: "x" }];
  expect(found(twice, twice.toReversed())).toBe(0);
  expect(found(twice, [{ name: "a" }])).toBe(1);
  expect(found([{ name: "a", _meta: { at: 1 } }], [{ name: "a", _meta: { at: 2 } }])).toBe(0);
});
