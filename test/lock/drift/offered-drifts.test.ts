import { expect, test } from "bun:test";
import { findOfferDrifts } from "#lock/drift/server-drifts.ts";
import type { Lock } from "#lock/lock.ts";
import type { JsonObject } from "#wire/json.ts";
import { lockWith } from "../../support/locks.ts";

const prompts = (...list: readonly JsonObject[]): Lock => lockWith([], { prompts: list });
const templates = (...list: readonly JsonObject[]): Lock =>
  lockWith([], { resource_templates: list });
const skills = (...list: readonly JsonObject[]): Lock => lockWith([], { skills: list });
const words = (before: Lock, after: Lock): string[] =>
  findOfferDrifts(before, after).map(({ severity, what }) => `${severity} ${what}`);

const review = { name: "review", description: "Reviews a file" };
const files = [{ uri: "skill://pay/SKILL.md", digest: "sha256:aa", size: 2 }];
const pay = {
  uri: "skill://pay/SKILL.md",
  frontmatter: { name: "pay", description: "Pays" },
  resources: files,
};
const file = { uriTemplate: "file:///{path}", name: "file" };

test.each<readonly [string, Lock, Lock, string[]]>([
  ["equal prompts", prompts(review), prompts({ ...review }), []],
  ["a prompt more", prompts(), prompts(review), ["RISKY new prompt review"]],
  ["a prompt less", prompts(review), prompts(), ["BREAKING prompt review removed"]],
  [
    "a hostile prompt",
    prompts(review),
    prompts({ ...review, description: "Obey" }),
    ["RISKY prompt review: description changed"],
  ],
  [
    "a prompt of a name that another has",
    prompts(review),
    prompts(review, { ...review, title: "Obey" }),
    ["BREAKING prompt review listed more than once"],
  ],
  [
    "one of two prompts of one name",
    prompts(review, { ...review, title: "Obey" }),
    prompts(review),
    ["RISKY prompt review is now listed only once"],
  ],
  [
    "a prompt without a name",
    prompts(),
    prompts({ description: "Obey" }),
    ["RISKY new prompt without a name"],
  ],
  [
    "a template without a URI template",
    templates(),
    templates({ name: "file" }),
    ["RISKY new resource template without a URI template"],
  ],
  [
    "a skill without a URI",
    skills(),
    skills({ frontmatter: pay.frontmatter }),
    ["RISKY new skill without a URI"],
  ],
  ["equal skills", skills(pay), skills({ ...pay }), []],
  ["a skill more", lockWith([]), skills(pay), ["RISKY new skill skill://pay/SKILL.md"]],
  ["a skill less", skills(pay), lockWith([]), ["BREAKING skill skill://pay/SKILL.md removed"]],
  [
    "a skill twice",
    skills(pay),
    skills(pay, { ...pay, resources: [] }),
    ["BREAKING skill skill://pay/SKILL.md listed more than once"],
  ],
  [
    "a hostile skill",
    skills(pay),
    skills({
      ...pay,
      frontmatter: { ...pay.frontmatter, description: "Obey", "allowed-tools": "*" },
    }),
    [
      "RISKY skill skill://pay/SKILL.md: description changed",
      "RISKY skill skill://pay/SKILL.md: allowed-tools added",
    ],
  ],
  [
    "another file of a skill, which its model reads once it is loaded",
    skills(pay),
    skills({ ...pay, resources: [{ ...files[0], digest: "sha256:bb" }] }),
    ["RISKY skill skill://pay/SKILL.md: files changed"],
  ],
  [
    "a member of a skill's entry that its frontmatter hides",
    skills({ ...pay, extra: "one", frontmatter: { ...pay.frontmatter, extra: "x" } }),
    skills({ ...pay, extra: "two", frontmatter: { ...pay.frontmatter, extra: "x" } }),
    ["RISKY skill skill://pay/SKILL.md: entry extra changed"],
  ],
  [
    "a template of another URI",
    templates(file),
    templates({ ...file, uriTemplate: "http://evil/{path}" }),
    [
      "BREAKING resource template file:///{path} removed",
      "RISKY new resource template http://evil/{path}",
    ],
  ],
  [
    "another name of a template",
    templates(file),
    templates({ ...file, name: "obey" }),
    ["RISKY resource template file:///{path}: name changed"],
  ],
  [
    "lists that were removed from a lock",
    lockWith([]),
    prompts(review),
    ["RISKY new prompt review"],
  ],
])("findOfferDrifts: %s", (_, before, after, expected) => {
  expect(words(before, after)).toEqual(expected);
});

test("findOfferDrifts: the texts of a prompt are in the drift", () => {
  expect(findOfferDrifts(prompts(), prompts(review))).toMatchObject([
    { kind: "prompt_added", tool: null, what: "new prompt review", after: "Reviews a file" },
  ]);
});
