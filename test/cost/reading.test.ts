import { expect, test } from "bun:test";
import { readingOf } from "#cost/reading.ts";
import { plainReader } from "../support/plain-reader.ts";
import { askedNothing } from "../support/readings.ts";

test("a reading knows the size that the tool asks for, from its newest definition", () => {
  const roomy = { name: "search", _meta: { "anthropic/maxResultSizeChars": 200_000 } };
  const tools = { find: (name: string) => (name === "search" ? roomy : undefined) };
  const reader = { ...plainReader("claude-code"), tools };
  const asking = (tool: string | null) =>
    readingOf(reader, { ...askedNothing, tool }).requestedCharacters();
  expect([asking("search"), asking("other"), asking(null)]).toEqual([
    200_000,
    undefined,
    undefined,
  ]);
  expect(readingOf(plainReader("claude-code"), askedNothing).requestedCharacters()).toBeUndefined();
});

test("a reading counts as its reader does", () => {
  const { count } = readingOf(plainReader(undefined), askedNothing);
  expect(count([{ kind: "text", text: "abcdef" }], Infinity)).toBe(2);
});
