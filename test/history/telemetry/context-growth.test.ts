import { expect, test } from "bun:test";
import { telemetrySessionsMax, ContextGrowth } from "#history/telemetry/session-metrics.ts";
import {
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
} from "../../support/made-records.ts";

const list = (tokens: number, id = "session") =>
  definitionsRecord({ session_id: id, total_tokens: tokens, resident_tokens: tokens });

test("a list adds the tokens by which it exceeds the largest one before", () => {
  const growth = new ContextGrowth();
  expect(growth.add(sessionRecord())).toBe(0);
  expect([100, 100, 60, 130].map((tokens) => growth.add(list(tokens)))).toEqual([100, 0, 0, 30]);
  expect(growth.add(callRecord())).toBe(0);
});

test("each session has a context of its own, until it ends", () => {
  const growth = new ContextGrowth();
  expect(
    [list(100, "a"), list(100, "b"), list(100, "a")].map((record) => growth.add(record)),
  ).toEqual([100, 100, 0]);
  growth.add(endRecord({ session_id: "a", exit_code: null, signal: null }));
  expect(growth.add(list(100, "a"))).toBe(0);
  growth.add(endRecord({ session_id: "a", exit_code: 0 }));
  expect(growth.add(list(100, "a"))).toBe(100);
});

test("beyond the limit the oldest session is forgotten", () => {
  const growth = new ContextGrowth();
  for (let at = 0; at <= telemetrySessionsMax; at++) growth.add(list(1, `s${at}`));
  expect(growth.add(list(1, `s${telemetrySessionsMax}`))).toBe(0);
  expect(growth.add(list(1, "s0"))).toBe(1);
});
