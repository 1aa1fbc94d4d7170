import { expect, test } from "bun:test";
import { reportServersMax } from "#limits.ts";
import { AdviceFold } from "#reports/advice/advice-fold.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

const wasteful = { tool: "read", duplicate_tokens: 2_000, output_tokens: 4_000 };

test("a part for each estimator, by that of the session of a record", () => {
  const fold = new AdviceFold();
  fold.add(sessionRecord({ session_id: "a" }));
  fold.add(callRecord({ session_id: "a", ...wasteful }));
  fold.know(sessionRecord({ session_id: "b", estimator: "claude" }));
  fold.add(callRecord({ session_id: "b", ...wasteful }));
  fold.add(callRecord({ session_id: "unknown", ...wasteful }));
  const parts = fold
    .parts()
    .map(({ estimation, advice }) => [estimation?.estimator, advice.length]);
  expect(parts).toEqual([
    ["chars3", 1],
    [undefined, 1],
    [undefined, 1],
  ]);
});

test("servers beyond the limit are left out, and counted", () => {
  const fold = new AdviceFold();
  for (let at = 0; at < reportServersMax + 2; at += 1) {
    fold.add(callRecord({ server: `s${at}`, ...wasteful }));
  }
  expect(fold.leftOut).toBe(2);
  fold.add(callRecord({ server: "s0", ...wasteful }));
  expect(fold.leftOut).toBe(2);
});
