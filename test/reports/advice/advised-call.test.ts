import { expect, test } from "bun:test";
import { advisedImport } from "#reports/advice/advised-call.ts";
import { call } from "../imported/made-history.ts";

test("a call of a log has the tokens that were counted, and nothing of its answer", () => {
  expect(advisedImport(call(3))).toEqual({
    session_id: "session",
    seq: 3,
    server: "docs",
    tool: "search",
    method: "tools/call",
    outcome: "ok",
    output_tokens: 1_000,
    total_tokens: 1_010,
    duplicate_tokens: 0,
    arguments_sha256: "hash-3",
    overhead: null,
  });
  const uncounted = advisedImport(call(0, { input_tokens: null, output_tokens: null }));
  expect([uncounted.output_tokens, uncounted.total_tokens]).toEqual([0, 0]);
});
