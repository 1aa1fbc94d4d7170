import { expect, test } from "bun:test";
import { RepeatRoom } from "#reports/repeat-table.ts";
import { SeenRoom } from "#reports/seen-numbers.ts";
import { definitionsOf, SessionState } from "#reports/session-state.ts";
import { usageFactsOf } from "#reports/session-usage-facts.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { definitionsRecord, sessionRecord } from "../support/made-records.ts";

const zone = new TimeZone("UTC");
const all = { ranges: [{ fromMs: -Infinity, toMs: Infinity }], zone };

function sessionAt(ms: number): SessionState {
  const state = new SessionState("a", new SeenRoom(), new RepeatRoom());
  state.addTime(ms);
  state.addSession(sessionRecord({ model: "m" }));
  return state;
}

test("a session is a fact of its server where it began, with the model of the session", () => {
  const dayMs = 86_400_000;
  const facts = usageFactsOf(sessionAt(dayMs), all);
  expect(facts).toMatchObject([
    { day: 1, server: "garden", method: "tools/list", tool: null, model: "m", range: 0 },
  ]);
  const later = { ranges: [{ fromMs: dayMs + 1, toMs: Infinity }], zone };
  expect(usageFactsOf(sessionAt(dayMs), later)).toEqual([]);
});

test("definitions are a fact of their day, with their list where it was kept", () => {
  const state = sessionAt(0);
  const list = definitionsRecord();
  state.addDefinitions("garden", definitionsOf(list, 0, { tools: undefined, list }));
  const [definitions] = usageFactsOf(state, all);
  expect(definitions).toMatchObject({ list, sums: { definition_lists: 1, listed_tokens: 160 } });
  state.addDefinitions("other", definitionsOf(list, 0, { tools: undefined, list: undefined }));
  expect(usageFactsOf(state, all).filter((fact) => "list" in fact)).toHaveLength(1);
});
