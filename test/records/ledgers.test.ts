import { describe, expect, test } from "bun:test";
import { Ledgers, reportSessionsMax, reportEstimatorsMax } from "#records/ledger.ts";
import type { MeterRecord } from "#records/record.ts";
import { callRecord, endRecord, sessionRecord } from "../support/made-records.ts";

function summarizeAll(records: readonly MeterRecord[]) {
  const ledgers = new Ledgers();
  for (const record of records) ledgers.add(record);
  return ledgers.summarize().map(({ estimation, sessions, total }) => ({
    estimator: estimation?.estimator,
    sessions,
    calls: total.calls,
    tokens: total.total_tokens,
  }));
}

const session = (id: string, estimator: string) => sessionRecord({ session_id: id, estimator });
const call = (id: string, tokens: number) =>
  callRecord({ session_id: id, input_tokens: 0, output_tokens: tokens });

describe("Ledgers", () => {
  test("sessions of one estimator add up, those of another are apart, in any order of records", () => {
    const records = [
      session("a", "o200k"),
      session("b", "claude"),
      call("a", 1),
      call("b", 20),
      session("c", "o200k"),
      call("c", 300),
      call("a", 4_000),
    ];
    expect(summarizeAll(records)).toEqual([
      { estimator: "o200k", sessions: 2, calls: 3, tokens: 4_301 },
      { estimator: "claude", sessions: 1, calls: 1, tokens: 20 },
    ]);
  });

  test("records of a session without a session record are apart from all others", () => {
    const records = [session("a", "o200k"), call("a", 1), call("torn", 2)];
    expect(summarizeAll(records)).toEqual([
      { estimator: "o200k", sessions: 1, calls: 1, tokens: 1 },
      { estimator: undefined, sessions: 0, calls: 1, tokens: 2 },
    ]);
  });

  test("without a record there is no summary", () => {
    expect(summarizeAll([])).toEqual([]);
  });

  test(`the estimators of ${reportSessionsMax} sessions are remembered`, () => {
    const ledgers = new Ledgers();
    for (let at = 0; at <= reportSessionsMax; at += 1) ledgers.add(session(`s${at}`, "o200k"));
    ledgers.add(call("s1", 5));
    ledgers.add(call("s0", 7));
    expect(ledgers.summarize().map(({ total }) => total.total_tokens)).toEqual([5, 7]);
  });

  test(`${reportEstimatorsMax} estimators are kept apart, records of further ones are left out`, () => {
    const ledgers = new Ledgers();
    for (let at = 0; at < reportEstimatorsMax; at += 1) ledgers.add(session(`s${at}`, `e${at}`));
    expect(ledgers.leftOut).toBe(0);
    ledgers.add(session("s", "one more"));
    ledgers.add(endRecord({ session_id: "s" }));
    expect(ledgers.leftOut).toBe(2);
    expect(ledgers.summarize()).toHaveLength(reportEstimatorsMax);
  });
});
