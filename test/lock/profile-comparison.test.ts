import { expect, test } from "bun:test";
import { compareProfiles } from "#lock/profile.ts";
import { madeProfile, profiledTool } from "../support/made-profile.ts";

const sized = (name: string, tokens: number) => ({
  ...profiledTool(name, tokens),
  worst_case: { ...profiledTool("", 0).worst_case, is_assumed: false, tokens: 500 },
});

function profileWith(tools: ReturnType<typeof profiledTool>[], total: number) {
  const definitions = { ...madeProfile.definitions, total_tokens: total };
  return { ...madeProfile, definitions, tools };
}

test("compareProfiles: grown, new, removed and bounded tools, the largest change first", () => {
  const before = profileWith(
    [
      profiledTool("grows", 10),
      profiledTool("gone", 40),
      profiledTool("same", 5),
      profiledTool("bounded", 7),
    ],
    62,
  );
  const after = profileWith(
    [
      profiledTool("grows", 30),
      profiledTool("same", 5),
      profiledTool("new", 90),
      sized("bounded", 7),
    ],
    132,
  );
  const comparison = compareProfiles("b.json", before, after);
  expect(comparison.total_tokens).toEqual({ before: 62, after: 132, delta: 70 });
  expect(comparison.tools).toEqual([
    { name: "new", before: null, after: 90, delta: 90, answer: { before: null, after: null } },
    { name: "gone", before: 40, after: null, delta: -40, answer: { before: null, after: null } },
    { name: "grows", before: 10, after: 30, delta: 20, answer: { before: null, after: null } },
    { name: "bounded", before: 7, after: 7, delta: 0, answer: { before: null, after: 500 } },
  ]);
});

test("compareProfiles compares tools of one name in their order", () => {
  const before = profileWith([profiledTool("t", 1), profiledTool("t", 2)], 3);
  const after = profileWith([profiledTool("t", 1), profiledTool("t", 5)], 6);
  expect(compareProfiles("b.json", before, after).tools).toMatchObject([{ before: 2, after: 5 }]);
  expect(compareProfiles("b.json", after, after).tools).toEqual([]);
});
