import { expect, test } from "bun:test";
import { findToolListProblems } from "#check/tool-list-problems.ts";

const hide = (text: string): string => text.replaceAll("s3cret", "${KEY}");
const before = [{ name: "a" }, { name: "b" }];

test("findToolListProblems: the same list has none", () => {
  expect(findToolListProblems(before, { tools: before.toReversed() }, hide)).toEqual([]);
});

test("findToolListProblems: each difference is an error, without secrets", () => {
  const tools = [{ name: "b", title: "B" }, { name: "s3cret" }];
  const shared = { level: "error", rule: "list_changed", line: null, place: "list" } as const;
  expect(findToolListProblems(before, { tools }, hide)).toEqual([
    {
      ...shared,
      about: "a",
      text: "the server does not list it after the calls, and did before",
    },
    {
      ...shared,
      about: "b",
      text: "the server lists another definition of it after the calls than before: title added",
    },
    {
      ...shared,
      about: "${KEY}",
      text: "the server lists it after the calls, and did not before",
    },
  ]);
});

test("findToolListProblems: a list that cannot be read is an error", () => {
  expect(findToolListProblems(before, { fault: "It failed: s3cret" }, hide)).toEqual([
    {
      level: "error",
      rule: "list_unreadable",
      about: null,
      text: "its tools cannot be listed again after the calls: It failed: ${KEY}",
      line: null,
      place: "list",
    },
  ]);
});
