import { expect, test } from "bun:test";
import { RowGroup, rentMeasures } from "#reports/row-group.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../support/made-records.ts";
import { usageFacts } from "../support/usage-facts.ts";

test("sessions are counted once each, and shares are of all tokens", () => {
  const group = new RowGroup();
  expect(group.isEmpty).toBe(true);
  const sessions = ["a", "b"].flatMap((session_id) => [
    sessionRecord({ session_id, seq: 0 }),
    definitionsRecord({ session_id, seq: 1 }),
    callRecord({ session_id, seq: 2 }),
    callRecord({ session_id, seq: 3, tool: "fetch" }),
  ]);
  for (const fact of usageFacts(sessions)) group.add(fact);
  expect(group.isEmpty).toBe(false);
  expect(group.measures(2 * (2 * 110 + 160) * 4)).toMatchObject({
    sessions: 2,
    calls: 4,
    definition_lists: 2,
    listed_tokens: 320,
    total_tokens: 440,
    context_tokens: 760,
    share: 0.25,
  });
  expect(new RowGroup().measures(0).share).toBe(0);
});

test("definitions in requests are in a row, without a session of their own", () => {
  const [fact] = usageFacts([sessionRecord(), definitionsRecord({ seq: 1 })]);
  if (!fact) throw new Error("a fact");
  const group = new RowGroup();
  group.add({ ...fact, rent: { requests: 3, unknownRequests: 1, tokens: 90 } });
  expect([group.isEmpty, group.measures(0).sessions]).toEqual([false, 0]);
  expect(group.measures(0)).toMatchObject({
    rent_requests: 3,
    rent_unknown_requests: 1,
    rent_tokens: 90,
  });
  expect(new RowGroup().measures(0).rent_requests).toBeUndefined();
});

test("unknown definitions are null, not 0", () => {
  const unknown = { requests: 3, unknownRequests: 3, tokens: 0, nanoDollars: null };
  expect(rentMeasures(unknown)).toEqual({
    rent_requests: 3,
    rent_unknown_requests: 3,
    rent_tokens: null,
    rent_usd: null,
  });
});
