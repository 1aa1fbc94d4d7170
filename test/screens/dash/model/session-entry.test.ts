import { expect, test } from "bun:test";
import { SessionEntry, dashMarksMax } from "#screens/dash/model/model.ts";
import { SeenRoom } from "#history/reports/record-filter.ts";
import {
  alertRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
  toolDefinition,
} from "../../../support/made-records.ts";

test("a session has its newest names, its list, its end, and its context", () => {
  const entry = new SessionEntry("s", new SeenRoom());
  const tools = [toolDefinition("search", 40)];
  const records = [
    sessionRecord({ seq: 0, client_name: null }),
    definitionsRecord({ seq: 1, tools, tools_total: 1, total_tokens: 40, resident_tokens: 40 }),
    callRecord({ seq: 2, total_tokens: 100 }),
    sessionRecord({ seq: 3, client_name: "codex" }),
    definitionsRecord({ seq: 4, tools: [], tools_total: 0, list_state: "none" }),
    endRecord({ seq: 5, duration_ms: 9 }),
  ];
  for (const [at, record] of records.entries()) expect(entry.add(record, at + 1, true)).toBe(true);
  expect(entry.add(callRecord({ seq: 2, total_tokens: 100 }), 3, true)).toBe(false);
  expect(entry.record?.client_name).toBe("codex");
  expect(entry.end?.duration_ms).toBe(9);
  expect(entry.context.tokens).toBe(140);
  expect([entry.beganMs, entry.newestMs]).toEqual([1, 6]);
  expect(entry.estimation?.estimator).toBe("chars3");
});

test("alerts are kept up to the limit, and while there is room", () => {
  const entry = new SessionEntry("s", new SeenRoom());
  for (let seq = 0; seq < dashMarksMax + 5; seq += 1) entry.add(alertRecord({ seq }), 1, seq > 2);
  expect(entry.marks).toHaveLength(dashMarksMax);
  expect(entry.marks[0]?.seq).toBe(3);
  expect(entry.estimation).toBeNull();
});
