import { expect, test } from "bun:test";
import { ImportedHistory } from "#history/reports/imported/imported-history.ts";
import { WireMatches } from "#history/reports/imported/wire-matches.ts";
import type { CallRecord } from "#records/record.ts";
import { callRecord, sessionRecord } from "../../../support/made-records.ts";
import { call, noon } from "./made-history.ts";

function matches(logged: readonly Parameters<typeof call>[], wire: readonly Partial<CallRecord>[]) {
  const history = new ImportedHistory();
  for (const args of logged) history.add(call(...args));
  const found = new WireMatches(history);
  for (const [seq, rest] of wire.entries()) {
    const ts = new Date(noon + 400).toISOString();
    found.offer(callRecord({ seq, ts, server: "docs", tool: "search", ...rest }));
  }
  return [...found.findPairs()].map(([a, b]) => [a.seq, b.seq]);
}

test("pairs by the client's id, whatever the server is called", () => {
  expect(matches([[0], [1]], [{ call_id_sha256: "id-1", server: "other" }])).toEqual([[1, 0]]);
});

test("pairs by client if the server has another name in its config", () => {
  const history = new ImportedHistory();
  history.add(call(0, { client: "gemini-cli", server: "everything" }));
  const found = new WireMatches(history);
  const ts = new Date(noon + 400).toISOString();
  const wire = { ts, server: "mcp-servers/everything", arguments_sha256: "hash-0" };
  found.offer(callRecord({ ...wire, session_id: "one", seq: 4 }));
  expect(found.findPairs().size).toBe(0);
  found.offerSession(sessionRecord({ session_id: "one", client_name: "gemini-cli-mcp-client" }));
  expect([...found.findPairs().values()].map(({ seq }) => seq)).toEqual([4]);
});

test("a call without a readable time is not paired", () => {
  expect(matches([[0]], [{ call_id_sha256: "id-0", ts: "not a time" }])).toEqual([]);
});
