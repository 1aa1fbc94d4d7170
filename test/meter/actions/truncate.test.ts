import { expect, test } from "bun:test";
import { truncate } from "#meter/actions/truncate.ts";
import { makeExcess, textsOf } from "../../support/excess.ts";

test("truncate cuts the text and says at its end what is missing", () => {
  const result = { content: [{ type: "text", text: "x".repeat(3_000) }] };
  const answer = truncate.handleExcess(makeExcess(result, 100));
  const [head, note] = textsOf(answer.kind === "replace" ? answer.result : undefined);
  expect(head).toMatch(/^x+$/);
  expect(note).toBe(
    `[mcp-meter: cut after ${head?.length} of 3,000 characters to fit the budget echo=100; narrow the request to get a complete answer]`,
  );
});

test("truncate refuses when not even its note fits, and what it cannot read", () => {
  expect(
    truncate.handleExcess(makeExcess({ content: [{ type: "text", text: "long enough" }] }, 3)),
  ).toEqual({ kind: "refuse" });
  expect(truncate.handleExcess(makeExcess(undefined, 1_000))).toEqual({ kind: "refuse" });
});
