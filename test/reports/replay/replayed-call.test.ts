import { expect, test } from "bun:test";
import { replayedImport } from "#reports/replay/replayed-call.ts";
import { call } from "../imported/made-history.ts";

test("a call of a log has its tokens, and none where they were not counted", () => {
  expect(replayedImport(call(3))).toEqual({
    session_id: "session",
    seq: 3,
    server: "docs",
    tool: "search",
    method: "tools/call",
    outcome: "ok",
    input_tokens: 10,
    output_tokens: 1_000,
    total_tokens: 1_010,
  });
  const uncounted = call(3, { input_tokens: null, output_tokens: null });
  expect(replayedImport(uncounted).total_tokens).toBe(0);
});
