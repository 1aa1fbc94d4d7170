import { describe, expect, test } from "bun:test";
import { RepeatRoom } from "#reports/repeat-table.ts";
import { SeenRoom } from "#reports/seen-numbers.ts";
import { definitionsOf, definitionTokens, SessionState } from "#reports/session-state.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { definitionsRecord, sessionRecord } from "../support/made-records.ts";

const none = { tools: undefined, list: undefined };

const listed = (seq: number, tools_total: number, total_tokens: number) =>
  definitionsOf(definitionsRecord({ seq, tools_total, total_tokens }), 0, none);

describe("SessionState", () => {
  test("its first time and its newest record are its facts", () => {
    const state = new SessionState("a", new SeenRoom(), new RepeatRoom());
    state.addTime(Date.UTC(2026, 10, 1, 10));
    state.addTime(Date.UTC(2026, 10, 1, 9));
    state.addSession(sessionRecord({ seq: 3, client_name: "late" }));
    state.addSession(sessionRecord({ seq: 1, client_name: null }));
    expect(state.factsIn(new TimeZone("Europe/Berlin"))).toMatchObject({
      id: "a",
      beganMs: Date.UTC(2026, 10, 1, 9),
      beganLocal: "2026-11-01 10:00",
      client: "late",
    });
  });

  test.each([
    [[listed(1, 2, 10), listed(5, 3, 20)], 20],
    // A list that failed or was not requested again replaces none.
    [[listed(1, 2, 10), listed(5, 0, 0)], 10],
    [[listed(1, 0, 0), listed(5, 0, 3)], 3],
  ])("the newest list with tools counts, in any order (%#)", (lists, tokens) => {
    for (const order of [lists, lists.toReversed()]) {
      const state = new SessionState("a", new SeenRoom(), new RepeatRoom());
      for (const one of order) state.addDefinitions("s", one);
      expect(state.definitions.get("s")?.listedTokens).toBe(tokens);
    }
  });
});

describe("definitionTokens", () => {
  const tools = new Map([
    ["search", 90],
    ["fetch", 60],
  ]);
  const record = definitionsRecord({ resident_tokens: 8, loading_tokens: 5, is_deferred: true });

  test("loaded are the called tools that are listed, and the texts that come with the first", () => {
    const definitions = definitionsOf(record, 0, { ...none, tools });
    expect(definitionTokens(definitions, new Set(["search", "guessed"]))).toEqual({
      definition_lists: 1,
      listed_tokens: 160,
      resident_tokens: 8,
      loaded_tokens: 90 + 5,
    });
    expect(definitionTokens(definitions, new Set()).loaded_tokens).toBe(0);
  });

  test("nothing is loaded where all are in the context, or where there was no room for the list", () => {
    const called = new Set(["search"]);
    const whole = definitionsOf(definitionsRecord(), 0, none);
    expect(definitionTokens(whole, called).loaded_tokens).toBe(0);
    expect(definitionTokens(definitionsOf(record, 0, none), called).loaded_tokens).toBe(0);
  });
});
