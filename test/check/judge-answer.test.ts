import { expect, test } from "bun:test";
import {
  planExpectations,
  judgeAnswer,
  excerptCharactersMax,
  matchedCharactersMax,
  type RawExpectation,
  readAnswer,
} from "#check/expected-content.ts";

const same = (text: string): string => text;
const hide = (text: string): string => text.replaceAll("secret", "<S>");

function judged(expected: RawExpectation, text: string, redact = same) {
  const plan = planExpectations(expected);
  if ("fault" in plan) return expect.unreachable(plan.fault);
  return judgeAnswer(plan.expectations, readAnswer({ content: [{ type: "text", text }] }), redact);
}

test.each<[RawExpectation, string, string[]]>([
  [{ contains: "b c" }, "a b c", []],
  [{ contains: ["a", "d"] }, "a b c", ["d"]],
  [{ contains: "B" }, "b", ["B"]],
  [{ matches: "^\\d+ found$" }, "12 found", []],
  [{ matches: "^\\d+ found$" }, "none found", ["^\\d+ found$"]],
  [{ equals: { "/n": [1, { a: "x" }] } }, '{"n":[1,{"a":"x"}]}', []],
  [{ equals: { "/n": 1, "/m": null } }, '{"n":2,"m":null}', ["1"]],
  [{ equals: { "/n": 1 } }, "text", ["1"]],
])("judgeAnswer: %j of %j", (expected, text, unmet) => {
  expect(judged(expected, text).map((problem) => problem.expected)).toEqual(unmet);
});

const hideAs = (text: string): string => text.replaceAll("secret", "${S}");

test("judgeAnswer shows what the file has: a text never looks like the variable of a secret", () => {
  expect(judged({ contains: "$${S}" }, "secret", hideAs)).toMatchObject([
    { expected: "$${S}", found: "${S}" },
  ]);
  expect(judged({ equals: { "/a": "$${S}" } }, '{"a":"secret"}', hideAs)).toMatchObject([
    { expected: '"$${S}"', found: '"${S}"' },
  ]);
});

test("judgeAnswer shows the found value: sanitised, shortened, without secrets", () => {
  expect(judged({ contains: "x" }, `a\u001b\n\n secret`, hide)).toEqual([
    { rule: "contains", pointer: null, expected: "x", found: "a\\u001b <S>" },
  ]);
  expect(judged({ equals: { "/a": 1 } }, '{"a":"secret"}', hide)[0]?.found).toBe('"<S>"');
  const [long] = judged({ contains: "x" }, "y".repeat(excerptCharactersMax + 1));
  expect(long?.found).toBe(`${"y".repeat(excerptCharactersMax)}…`);
  const fits = "y".repeat(excerptCharactersMax);
  expect(judged({ contains: "x" }, fits)[0]?.found).toBe(fits);
  // A secret at the cut is removed before the text is cut.
  const [cut] = judged({ contains: "x" }, `${"y".repeat(excerptCharactersMax - 3)}secret`, hide);
  expect(cut?.found).not.toContain("sec");
});

test("judgeAnswer says that there is nothing", () => {
  expect(judged({ contains: "x" }, "")[0]?.found).toBeNull();
  expect(judged({ equals: { "/a": 1 } }, "{}")[0]?.found).toBeNull();
});

test("judgeAnswer matches matchedCharactersMax characters, and does not match more", () => {
  const most = "a".repeat(matchedCharactersMax);
  expect(judged({ matches: "a$" }, most)).toEqual([]);
  expect(judged({ matches: "a$" }, `${most}a`)[0]).toMatchObject({
    found: "200,001 characters; answers of more than 200,000 are not matched",
    is_too_long: true,
  });
});

const around = (text: string): string => text.replaceAll("…", "");
const filler = "x".repeat(excerptCharactersMax * 2);

test("judgeAnswer shows two long values around the first difference", () => {
  const [value] = judged(
    { equals: { "/a": `${filler}one${filler}` } },
    `{"a":"${filler}two${filler}"}`,
  );
  expect(value?.expected).toStartWith("…xxx");
  expect(value?.expected).toContain("xonex");
  expect(value?.found).toContain("xtwox");
  for (const side of [value?.expected, value?.found]) {
    expect(side).toEndWith("xxx…");
    expect(around(side ?? "")).toHaveLength(excerptCharactersMax);
  }
  // Nothing is left out after the end.
  const [end] = judged({ equals: { "/a": `${filler}1` } }, `{"a":"${filler}2"}`);
  expect([end?.expected, end?.found].map((side) => side?.slice(-4))).toEqual(['xx1"', 'xx2"']);
  // An object differs where its values do, not by the order of its keys.
  const [keys] = judged({ equals: { "": { a: filler, b: 1 } } }, `{"b":2,"a":"${filler}"}`);
  expect([keys?.expected, keys?.found].map((side) => side?.slice(-4))).toEqual(['":1}', '":2}']);
  // Spaces inside a value are part of it.
  const [spaces] = judged({ equals: { "/a": "b c" } }, '{"a":"b  c"}');
  expect(spaces).toMatchObject({ expected: '"b c"', found: '"b  c"' });
});

test("judgeAnswer shows a text and the one that it does not contain around the first difference", () => {
  const [long] = judged({ contains: `${filler}one` }, `before ${filler}two after`);
  expect(long?.expected).toEndWith("xone");
  expect(long?.found).toEndWith("xtwo after");
  expect(long?.found).toStartWith("…x");
  // A beginning shared by chance does not count.
  const [unmet] = judged({ contains: "zebra" }, `start ${filler} zoo`);
  expect(unmet?.found).toStartWith("start xxx");
});
