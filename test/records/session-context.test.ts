import { expect, test } from "bun:test";
import { Ledger } from "#records/ledger.ts";
import type { MeterRecord } from "#records/record.ts";
import { SessionContext } from "#records/definition-summary.ts";
import {
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../support/made-records.ts";

function bySummary(records: readonly MeterRecord[]): number {
  const ledger = new Ledger();
  for (const record of records) ledger.add(record);
  const { definitions, total } = ledger.summarize();
  return (
    (definitions?.resident_tokens ?? 0) + (definitions?.loaded_tokens ?? 0) + total.total_tokens
  );
}

const deferred = definitionsRecord({
  is_deferred: true,
  resident_tokens: 4,
  loading_tokens: 7,
  tools: [toolDefinition("search", 100), { ...toolDefinition("fetch", 60), context_tokens: 66 }],
});

const sessions: readonly (readonly [name: string, records: readonly MeterRecord[]])[] = [
  ["calls alone", [callRecord(), callRecord({ tool: "fetch" })]],
  ["resident definitions", [sessionRecord(), definitionsRecord(), callRecord()]],
  [
    "definitions that are loaded on demand",
    [deferred, callRecord(), callRecord({ tool: "fetch" }), callRecord()],
  ],
  ["a call before its definitions", [callRecord(), deferred]],
  ["a newer list", [definitionsRecord(), callRecord(), deferred]],
  [
    "a list that failed",
    [
      definitionsRecord(),
      definitionsRecord({ tools: [], list_state: "failed", resident_tokens: 0 }),
    ],
  ],
  [
    "other methods",
    [
      deferred,
      callRecord({ method: "resources/read", tool: null }),
      callRecord({ method: "prompts/get", tool: "search" }),
    ],
  ],
];

for (const [name, records] of sessions) {
  test(`the context after each record is that of the summary: ${name}`, () => {
    const context = new SessionContext();
    for (const [at, record] of records.entries()) {
      context.add(record);
      expect(context.tokens).toBe(bySummary(records.slice(0, at + 1)));
    }
  });
}

test("the share is of the session's window", () => {
  const context = new SessionContext();
  context.add(callRecord({ input_tokens: 0, output_tokens: 50 }));
  expect(context.share).toBeUndefined();
  context.add(sessionRecord({ window: 200 }));
  expect(context.share).toBe(0.25);
});
