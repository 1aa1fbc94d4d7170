import { expect, test } from "bun:test";
import { unwrapEntries, wrapEntries } from "#clients/wrapping/edit-entries.ts";
import { front } from "../../support/wrapping.ts";

test("ten megabytes with a thousand entries come back", () => {
  const value = JSON.stringify("x".repeat(90));
  const filler = Array.from({ length: 100_000 }, (_, at) => `"k${at}":${value}`);
  const entries = Array.from({ length: 1_000 }, (_, at) => `"${at}":{"command":"c"}`);
  const text = `{${filler.join(",")},"s":{${entries.join(",")}}}`;
  const places = entries.map((_, at) => {
    return { path: ["s", String(at)], form: "command" as const, front, count: front.length };
  });
  const wrapped = wrapEntries({ text, language: "json" }, places);
  expect([text.length > 10_000_000, wrapped.refused.size]).toEqual([true, 0]);
  expect(unwrapEntries({ text: wrapped.text, language: "json" }, places).text === text).toBe(true);
});
