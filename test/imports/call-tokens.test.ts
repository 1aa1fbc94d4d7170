import { expect, test } from "bun:test";
import { tokensByServer } from "#imports/call-tokens.ts";
import { mergeCalls } from "#imports/merge-calls.ts";
import { resultLine, useLine } from "../support/logs.ts";

test("tokens are added by server and tool, and answers of unknown size are counted", () => {
  const events = ["a", "b", "c"].flatMap((id) => [
    useLine({ id, argumentTokens: 3 }),
    ...(id === "c" ? [] : [resultLine({ id, tokens: id === "a" ? 5 : null })]),
  ]);
  expect(tokensByServer(mergeCalls(events, []).calls)).toEqual({
    docs: { search: { arguments: 9, answers: 5, unknown: 1 } },
  });
});

test("without counting there are none", () => {
  const events = [useLine({ argumentTokens: null })];
  expect(tokensByServer(mergeCalls(events, []).calls)).toEqual({});
});
