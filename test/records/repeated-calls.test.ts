import { expect, test } from "bun:test";
import { repeatsRememberedMax, RepeatedCalls } from "#records/tool-rows.ts";
import type { CallRecord } from "#records/record.ts";
import type { RepeatSummary } from "#records/summary.ts";
import { callRecord } from "../support/made-records.ts";

const makeCall = (hash: string | null, changes: Partial<CallRecord> = {}): CallRecord =>
  callRecord({ arguments_sha256: hash, input_tokens: 0, output_tokens: 10, ...changes });

function countRepeats(calls: readonly CallRecord[]): RepeatSummary {
  const repeats = new RepeatedCalls();
  for (const call of calls) repeats.add(call);
  return repeats.summarize();
}

test("RepeatedCalls counts every identical call but the first", () => {
  const calls = [
    makeCall("1"),
    makeCall("1"),
    makeCall("2"),
    makeCall("1"),
    makeCall("1", { tool: "fetch" }),
  ];
  expect(countRepeats(calls)).toEqual({ calls: 2, tokens: 20, tool: "search" });
  for (const none of [[], [makeCall(null), makeCall(null)]]) {
    expect(countRepeats(none)).toEqual({ calls: 0, tokens: 0, tool: null });
  }
});

test.each([
  ["no tool", { tool: null }],
  ["no arguments to compare", { arguments_sha256: null }],
  ["a refusal", { outcome: "refused" }],
  ["another session", { session_id: "other" }],
  ["another server", { server: "other" }],
] as const)("RepeatedCalls ignores a second call with %s", (_, changes) => {
  expect(countRepeats([makeCall("1"), makeCall("1", changes)]).calls).toBe(0);
});

test("RepeatedCalls adds up what notes saved, and has no sum without any", () => {
  const calls = [
    makeCall("1"),
    makeCall("1", { saved_tokens: 90 }),
    makeCall("2", { saved_tokens: 0 }),
  ];
  expect(countRepeats(calls)).toMatchObject({ calls: 1, notes: 2, saved_tokens: 90 });
  expect(countRepeats([makeCall("1")])).not.toHaveProperty("notes");
});

test("RepeatedCalls names the tool that was repeated most often", () => {
  const fetch = { tool: "fetch" };
  const calls = [makeCall("1"), makeCall("1"), ...[1, 2, 3].map(() => makeCall("1", fetch))];
  expect(countRepeats(calls)).toMatchObject({ calls: 3, tool: "fetch" });
});

test("RepeatedCalls names the tool of the earliest of calls that were repeated as often", () => {
  const fetch = { tool: "fetch" };
  const calls = [
    makeCall("1"),
    makeCall("1", fetch),
    makeCall("2"),
    makeCall("2"),
    makeCall("1", fetch),
  ];
  expect(countRepeats(calls)).toMatchObject({ calls: 2, tool: "fetch" });
});

test(`RepeatedCalls remembers ${repeatsRememberedMax} distinct calls`, () => {
  const hashes = Array.from({ length: repeatsRememberedMax + 1 }, (_, at) => String(at));
  const calls = [...hashes, ...hashes.slice(-2)].map((hash) => makeCall(hash));
  expect(countRepeats(calls).calls).toBe(1);
});
