import { AdviceFold } from "#history/reports/advice/advice-fold.ts";
import type { CallRecord, DefinitionsRecord, MeterRecord, SessionRecord } from "#records/record.ts";
import { callRecord, definitionsRecord, sessionRecord } from "./made-records.ts";

export function foldOf(records: readonly MeterRecord[]): AdviceFold {
  const fold = new AdviceFold();
  for (const record of records) fold.add({ record, ms: Date.parse(record.ts) });
  return fold;
}

export function adviceFor(...records: readonly MeterRecord[]) {
  const numbered = records.map((record, seq) => ({ ...record, seq }));
  return foldOf(numbered).advise().advice;
}

export function sessions(count: number): SessionRecord[] {
  return Array.from({ length: count }, (_, at) => sessionRecord({ session_id: `s${at}` }));
}

const tool = (name: string, tokens: number) => ({
  name,
  tokens,
  name_tokens: 2,
  description_tokens: 3,
  schema_tokens: tokens - 5,
  wire_only_tokens: 0,
  percent_total: 0,
  sha256: name,
});

export function twoTools(changes: Partial<DefinitionsRecord> = {}): DefinitionsRecord {
  return definitionsRecord({
    session_id: "s0",
    is_deferred: false,
    is_complete: true,
    tools: [tool("plant", 1_000), tool("water", 2_000)],
    tools_total: 2,
    total_tokens: 3_000,
    resident_tokens: 3_000,
    ...changes,
  });
}

export function plant(changes: Partial<CallRecord> = {}): CallRecord {
  return callRecord({
    session_id: "s0",
    tool: "plant",
    input_tokens: 0,
    output_tokens: 10,
    ...changes,
  });
}
