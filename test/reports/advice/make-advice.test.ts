import { describe, expect, test } from "bun:test";
import { adviceTokensMin } from "#limits.ts";
import type { CallRecord, DefinitionsRecord, MeterRecord } from "#records/record.ts";
import { makeAdvice } from "#reports/advice/make-advice.ts";
import { ServerFold } from "#reports/advice/server-usage.ts";
import {
  alertRecord,
  callRecord,
  definitionsRecord,
  sessionRecord,
} from "../../support/made-records.ts";

function usageOf(server: string, records: readonly MeterRecord[]) {
  const fold = new ServerFold(server);
  for (const record of records) fold.add({ ...record, server });
  return fold.usage();
}

function adviceFor(...records: readonly MeterRecord[]) {
  return makeAdvice([usageOf("garden", records)]);
}

const sessions = (count: number) =>
  Array.from({ length: count }, (_, at) => sessionRecord({ session_id: `s${at}` }));

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

function definitions(told: Partial<DefinitionsRecord> = {}): DefinitionsRecord {
  const tools = [tool("plant", 1_000), tool("water", 2_000)];
  return definitionsRecord({
    is_deferred: false,
    is_complete: true,
    tools,
    tools_total: 2,
    total_tokens: 3_000,
    resident_tokens: 3_000,
    ...told,
  });
}

const plant = (told: Partial<CallRecord> = {}) =>
  callRecord({ tool: "plant", input_tokens: 0, output_tokens: 10, ...told });

describe("makeAdvice", () => {
  test("a server that was started in three sessions and never called", () => {
    expect(adviceFor(...sessions(3), definitions())).toEqual([
      {
        kind: "unused_server",
        server: "garden",
        tool: null,
        tokens: 3_000,
        per: "session",
        sessions: 3,
      },
    ]);
    expect(adviceFor(...sessions(2), definitions())).toEqual([]);
    expect(adviceFor(...sessions(3), definitions({ resident_tokens: 0 }))).toEqual([]);
  });

  test("tools that were never called, of a server that was", () => {
    expect(adviceFor(...sessions(3), definitions(), plant())).toMatchObject([
      { kind: "unused_tools", tokens: 2_000, names: ["water"], listed: 2 },
    ]);
    expect(adviceFor(...sessions(3), definitions(), plant(), plant({ tool: "water" }))).toEqual([]);
  });

  test("definitions that grew, from the oldest to the newest whole list in whatever order", () => {
    const old = { ts: "2026-11-15T08:00:00.000Z", total_tokens: 2_000 };
    const records = [definitions({ ts: "2026-11-20T08:00:00.000Z" }), definitions(old)];
    const grown = {
      kind: "grown_definitions",
      tokens: 1_000,
      per: "session",
      before_tokens: 2_000,
      after_tokens: 3_000,
      since: "2026-11-15T08:00:00.000Z",
    };
    expect(adviceFor(...records)).toMatchObject([grown]);
    expect(adviceFor(...records.toReversed())).toMatchObject([grown]);
    const part = definitions({ ...old, total_tokens: 100, is_complete: false });
    expect(adviceFor(part, definitions())).toEqual([]);
  });

  test("few large answers: a limit that spares them", () => {
    const calls = Array.from({ length: 19 }, () => plant({ output_tokens: 1_500 }));
    expect(adviceFor(...calls, plant({ output_tokens: 10_000 }))).toMatchObject([
      {
        kind: "large_answers",
        tool: "plant",
        tokens: 8_000,
        limit: 2_000,
        shortened_calls: 1,
        calls: 20,
      },
    ]);
    const refused = plant({ output_tokens: 10_000, outcome: "refused" });
    expect(adviceFor(...calls, refused)).toEqual([]);
  });

  test("repeated calls, duplicate text, JSON with spaces, structure, and answers that were cut", () => {
    const overhead = {
      user_only_tokens: 0,
      preamble_tokens: 0,
      json_tokens: 900,
      minified_tokens: 600,
      structure_ratio: 0.9,
    };
    const call = plant({ output_tokens: 900, arguments_sha256: "a", duplicate_tokens: 600 });
    const kinds = adviceFor(
      call,
      { ...call, overhead },
      alertRecord({ alert: "would_truncate", tool: "plant" }),
    ).map(({ kind, tokens }) => [kind, tokens]);
    expect(kinds).toEqual([
      ["duplicate_text", 1_200],
      ["repeated_calls", 900],
      ["json_structure", 810],
      ["compact_json", 300],
      ["cut_answers", 0],
    ]);
    expect(adviceFor({ ...call, overhead: { ...overhead, minified_tokens: 300 } })).toContainEqual(
      expect.objectContaining({ kind: "compact_json", tokens: 600 }),
    );
  });

  test("less than is worth a change is not advised", () => {
    const tokens = adviceTokensMin - 1;
    const call = plant({ output_tokens: 10, arguments_sha256: "a", duplicate_tokens: tokens });
    expect(adviceFor(call)).toEqual([]);
  });

  test("advice for each session counts for all sessions, and the most tokens come first", () => {
    const quiet = usageOf("quiet", [...sessions(5), definitions()]);
    const loud = usageOf("loud", [plant({ output_tokens: 10, duplicate_tokens: 14_000 })]);
    const louder = usageOf("louder", [plant({ output_tokens: 10, duplicate_tokens: 16_000 })]);
    expect(makeAdvice([loud, quiet, louder]).map(({ server }) => server)).toEqual([
      "louder",
      "quiet",
      "loud",
    ]);
  });
});
