import { expect, test } from "bun:test";
import {
  rentsNamedMax,
  listConversationNotes,
  listLoggedNotes,
  listRepeatNotes,
  listRentNotes,
} from "#screens/renderers/documents/usage-notes.ts";
import type { Note } from "#screens/renderers/document.ts";
import { RowGroup } from "#history/reports/report-rows.ts";
import type { ServerRent, UsageBlock } from "#history/reports/usage-report.ts";
import { reportOf } from "../../../support/usage-parts.ts";

const makeBlock = (rents: readonly ServerRent[]): UsageBlock => ({
  estimation: null,
  totals: new RowGroup().measure(0),
  tables: [],
  rents,
});

const month = { since: "2026-11-01T00:00:00.000Z", until: "2026-12-01T00:00:00.000Z" };
const always = { since: null, until: null };

function printLines(notes: readonly Note[]): readonly string[] {
  return notes.map(({ text }) =>
    [text]
      .flat()
      .map((span) => (typeof span === "string" ? span : "name" in span ? span.name : ""))
      .join(""),
  );
}

const count = (tokens: number): string => `~${tokens}`;

const makeRent = (server: string, overrides: Partial<ServerRent> = {}): ServerRent => ({
  server,
  calls: 0,
  rent_requests: 12,
  rent_unknown_requests: 0,
  rent_tokens: 1_200,
  ...overrides,
});

test("repeats have the tokens that notes saved, where there are any", () => {
  const totals = { ...new RowGroup().measure(0), repeated_calls: 3 };
  const format = { tokens: (tokens: number) => `~${tokens} tokens` };
  expect(printLines(listRepeatNotes(totals, format))).toEqual([
    "3 calls with the tool and arguments of an earlier call in the session; the answers may differ",
  ]);
  expect(printLines(listRepeatNotes({ ...totals, saved_tokens: 6_240 }, format))).toEqual([
    "3 calls with the tool and arguments of an earlier call in the session; the answers may differ; ~6240 tokens saved by notes that replaced unchanged answers",
  ]);
  expect(listRepeatNotes({ ...totals, repeated_calls: 0 }, format)).toEqual([]);
});

test("a server that was never called says so, with the period where it has both ends", () => {
  expect(printLines(listRentNotes(makeBlock([makeRent("docs")]), month, count))).toEqual([
    "docs: never called in 30 days, ~1200 tokens of definitions in 12 requests",
  ]);
  expect(
    printLines(listRentNotes(makeBlock([makeRent("docs", { rent_usd: 0.61 })]), always, count)),
  ).toEqual(["docs: never called, ~1200 tokens of definitions in 12 requests, ~$0.61"]);
});

test("a server that was called has the number of its calls, and requests whose definitions are known", () => {
  const called = makeRent("docs", { calls: 1, rent_unknown_requests: 2 });
  expect(printLines(listRentNotes(makeBlock([called]), month, count))).toEqual([
    "docs: 1 call, ~1200 tokens of definitions in 10 requests",
    "docs: the size of the definitions in 2 requests is unknown; run this server through mcp-meter to record it",
  ]);
});

test("the servers with the most tokens are named, and unknown ones together", () => {
  const servers = Array.from({ length: rentsNamedMax + 2 }, (_, index) => makeRent(`s${index}`));
  expect(listRentNotes(makeBlock(servers), month, count)).toHaveLength(rentsNamedMax);
  const unknown = servers.map((one) => ({ ...one, rent_tokens: null, rent_unknown_requests: 12 }));
  expect(printLines(listRentNotes(makeBlock(unknown), month, count))).toEqual([
    "s0, s1, s2 and 2 more: the size of the definitions in 60 requests is unknown; run these servers through mcp-meter to record it",
  ]);
  expect(printLines(listRentNotes(makeBlock([]), month, count))).toEqual([
    "unknown: no client logs of this period show these servers",
  ]);
});

test("calls of logs are noted, and conversations by the parts of their price", () => {
  const totals = { ...new RowGroup().measure(0), imported_calls: 3, paired_calls: 1 };
  expect(printLines(listLoggedNotes(totals))).toEqual([
    "3 calls from client logs, without the definitions of their servers; 1 more call in both logs and records, counted only once",
  ]);
  expect(listLoggedNotes(new RowGroup().measure(0))).toEqual([]);
  const conversations = {
    conversations: 2,
    whole_usd: 10,
    calls_usd: 2,
    definitions_usd: 1,
    other_usd: 7,
    unpriced_turns: 0,
  };
  const report = reportOf([]);
  expect(printLines(listConversationNotes({ ...report, ...always, conversations }))).toEqual([
    "2 conversations in client logs of this period, ~$10: MCP calls ~$2.0 (20%), definitions ~$1.0 (10%), everything else ~$7.0 (70%)",
  ]);
  expect(listConversationNotes({ ...report, ...always })).toEqual([]);
});
