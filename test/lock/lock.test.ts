import { expect, test } from "bun:test";
import { makeLock, readLock, formatLock } from "#lock/lock.ts";
import type { Profile } from "#lock/profile.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { lockedTool, lockWith } from "../support/locks.ts";

const lock = lockWith([lockedTool()]);

test("readLock reads what formatLock wrote, recorded answers included", () => {
  expect(readLock(formatLock(lock))).toEqual({ lock });
  const answers = [{ key: "0".repeat(64), tool: "t", tokens: 3 }];
  expect(readLock(formatLock({ ...lock, answers }))).toEqual({ lock: { ...lock, answers } });
});

test("formatLock is canonical JSON laid out over lines, a tool a block, safe on a screen", () => {
  const name = "evil\u202e";
  const text = formatLock(lockWith([lockedTool({ name }), lockedTool({ name: "b" })]));
  expect(JSON.stringify(JSON.parse(text))).toBe(canonicalizeJson(JSON.parse(text)));
  expect(text).toEndWith("}\n");
  expect(text).not.toContain("\u202e");
  expect(text).toContain('"name": "evil\\u202e"');
  expect(text.split("\n").length).toBeGreaterThan(40);
});

const written = formatLock(lock);

test.each([
  ["", "it is not valid JSON"],
  ["{", "it is not valid JSON"],
  ["[]", "it must be an object, not a list"],
  ['{"lock_version":"2.3"}', "server is required and must be an object"],
  [
    written.replace('_version": "2.3"', '_version": "3.0"'),
    'lock_version must be "2.3", not "3.0"',
  ],
  [
    written.replace('"low"', '"lo"'),
    'tools[0].risk must be "low", "medium", "high" or "critical", not "lo"',
  ],
  [
    written.replace('"total": 50', '"total": -1'),
    "tools[0].tokens.total must be a whole number of at least 0, not -1",
  ],
  [
    written.replace('"total": 50', '"total": 9007199254740992'),
    "tools[0].tokens.total must be a whole number of at least 0, not 9007199254740992",
  ],
  [written.replace("8000", "8000, 9000"), "risk_thresholds must be a list of 3 items, not 4"],
  [
    written.replace("8000", '"8000"'),
    'risk_thresholds[2] must be a whole number of at least 0, not "8000"',
  ],
  [
    written.replace(/"sha256": "a+"/, '"sha256": "A"'),
    'tools[0].sha256 must be a SHA-256 in lower-case hexadecimal, not "A"',
  ],
  [
    written.replace('"sha256": null', '"sha256": 1'),
    "instructions.sha256 must be a SHA-256 in lower-case hexadecimal or null, not 1",
  ],
  [
    written.replace('"is_bounded"', '"is_bonded"'),
    'unknown property "is_bonded" in tools[0] (did you mean "is_bounded"?)',
  ],
  [
    written.replace(/"definition": \{[^]*?\n {6}\}/, '"definition": 5'),
    "tools[0].definition must be an object, not 5",
  ],
  [written.replace("{", '{"__proto__": {},'), 'unknown property "__proto__"'],
])("readLock of %j says what is wrong", (text, fault) => {
  expect(readLock(text)).toMatchObject({ fault });
});

test.each([
  [/"icons": \[\],\s*/, "server.icons is required and must be a list"],
  [/"website_url": null\s*/, "server.website_url is required and must be text or null"],
  [/"prompts": \[\],\s*/, "prompts is required and must be a list"],
])("readLock without %p: %s", (member, fault) => {
  const text = written.replace(member, "").replace(/,(\s*\})/g, "$1");
  expect(readLock(text)).toMatchObject({ fault });
});

test("readLock never throws, whatever is cut off or flipped", () => {
  const text = formatLock(lock);
  for (let cut = 0; cut < text.length - 2; cut += 7) {
    expect(readLock(text.slice(0, cut))).toHaveProperty("fault");
  }
});

test("makeLock keeps the order of tools and takes hashes of what a model is told", () => {
  const worst = {
    tokens: 7_000,
    basis: "unbounded",
    source: null,
    base_tokens: 70,
    items: null,
  } as const;
  const tool = (name: string) => ({
    name,
    tokens: 5,
    name_tokens: 1,
    description_tokens: 2,
    schema_tokens: 2,
    wire_only_tokens: 0,
    percent_total: 50,
    percent_window: 0,
    sha256: "a".repeat(64),
    input_fields: 1,
    output_fields: 0,
    worst_case: worst,
    risk: "high" as const,
  });
  const profile = {
    server: { name: "s", version: null, protocol_version: "x", era: null },
    estimator: { id: "o200k" },
    risk_thresholds: [1, 2, 3],
    instructions: { tokens: 0, sha256: null },
    definitions: { total_tokens: 10 },
    tools: [tool("b"), tool("a")],
  } as unknown as Profile;
  const made = makeLock(profile, {
    tools: [{ description: "of b" }, { description: "of a" }],
    instructions: "Read me",
    introduction: { title: "S", websiteUrl: "https://s" },
    prompts: [{ name: "q" }, { description: "of p", name: "p" }],
    resourceTemplates: [],
  });
  expect(made.tools.map(({ name, definition }) => [name, definition])).toEqual([
    ["b", { description: "of b" }],
    ["a", { description: "of a" }],
  ]);
  expect(made.instructions.text).toBe("Read me");
  expect(made.tools[0]).toMatchObject({ is_bounded: false, worst_case_tokens: 7_000 });
  const about = { name: "s", version: null, title: "S" };
  expect(made.server).toEqual({ ...about, website_url: "https://s", icons: [] });
  expect(made.prompts).toEqual([{ description: "of p", name: "p" }, { name: "q" }]);
});
