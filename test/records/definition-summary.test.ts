import { describe, expect, test } from "bun:test";
import { mergeDefinitions, sumDefinitions } from "#records/definition-summary.ts";
import { definitionsRecord, toolDefinition } from "../support/made-records.ts";

const many = ["a", "b", "c", "d", "e", "f"].map((name, at) => toolDefinition(name, (at + 1) * 10));

describe("sumDefinitions", () => {
  test("no record is no sum, an empty list is one of 0", () => {
    expect(sumDefinitions([], 1_000, new Set())).toBeNull();
    expect(sumDefinitions([definitionsRecord({ tools: [] })], 1_000, new Set())).toMatchObject({
      tools: 0,
      tokens: 0,
      share: 0,
    });
  });

  test("the five most expensive come first, the share is of the window", () => {
    const sum = sumDefinitions([definitionsRecord({ tools: many })], 1_000, new Set());
    expect(sum?.most_expensive.map(({ name }) => name)).toEqual(["f", "e", "d", "c", "b"]);
    expect(sum?.share).toBeCloseTo(0.21);
  });

  test("the most expensive have their server and their share of all definitions together", () => {
    const whole = { percent_total: 100 };
    const search = { ...toolDefinition("search", 30), ...whole };
    const fetch = { ...toolDefinition("fetch", 90), ...whole };
    const first = definitionsRecord({ tools: [search] });
    const second = definitionsRecord({ server: "other", tools: [fetch] });
    expect(sumDefinitions([first, second], 1_000, new Set())?.most_expensive).toMatchObject([
      { server: "other", name: "fetch", tokens: 90, percent_total: 75 },
      { server: "garden", name: "search", tokens: 30, percent_total: 25 },
    ]);
  });

  test("servers add up, and one that defers makes the sum deferred", () => {
    const first = definitionsRecord({ instructions_tokens: 5, wire_only_tokens: 7 });
    const second = definitionsRecord({ server: "other", is_deferred: true, resident_tokens: 2 });
    expect(sumDefinitions([first, second], 1_000, new Set())).toMatchObject({
      tools: 4,
      tokens: 320,
      resident_tokens: 162,
      is_deferred: true,
      wire_only_tokens: 7,
      instructions_tokens: 5,
    });
  });
});

describe("the lists of servers", () => {
  const [full, empty] = [definitionsRecord(), definitionsRecord({ tools: [] })];
  const incomplete = { is_complete: false };

  test("have a state, also in records that do not state it", () => {
    const records = [full, empty, { ...full, ...incomplete }, { ...empty, ...incomplete }];
    const failed = definitionsRecord({ tools: [], ...incomplete, list_state: "failed" });
    expect(
      sumDefinitions([...records, failed], 1_000, new Set())?.lists.map(({ state, tools }) => [
        state,
        tools,
      ]),
    ).toEqual([
      ["complete", 2],
      ["complete", 0],
      ["cut_short", 2],
      ["none", 0],
      ["failed", 0],
    ]);
  });

  test("are replaced by newer ones, not by one that failed or was not requested", () => {
    const failed = { ...empty, ...incomplete, list_state: "failed" } as const;
    const none = { ...empty, ...incomplete, list_state: "none" } as const;
    expect(mergeDefinitions(full, empty)).toBe(empty);
    expect(mergeDefinitions(failed, none)).toBe(none);
    expect(mergeDefinitions(full, none)).toBe(full);
    expect(mergeDefinitions(full, failed)).toEqual({ ...full, list_state: "failed" });
  });
});

const deferred = definitionsRecord({
  is_deferred: true,
  loading_tokens: 9,
  tools: [
    { ...toolDefinition("search", 100), context_tokens: 104, resident_tokens: 4 },
    { ...toolDefinition("fetch", 60), resident_tokens: 5 },
    toolDefinition("older", 30),
  ],
});

const sum = (...names: string[]) =>
  sumDefinitions([deferred], 1_000, new Set(names.map((name) => `garden\n${name}`)));

test("definitions are loaded when their tool is called, the instructions with the first", () => {
  expect(sum()).toMatchObject({ loaded_tools: 0, loaded_tokens: 0 });
  expect(sum("search", "fetch", "other")).toMatchObject({
    loaded_tools: 2,
    loaded_tokens: 104 + 60 + 9,
  });
  const listed = definitionsRecord();
  expect(sumDefinitions([listed], 1_000, new Set(["garden\nsearch"]))).toMatchObject({
    loaded_tools: 0,
    loaded_tokens: 0,
  });
});
