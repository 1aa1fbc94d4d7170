import { expect, test } from "bun:test";
import { makeHistory } from "../../../scripts/bench/log-history.ts";
import { Folder } from "../../support/folder.ts";
import { reportOf } from "../../support/logs.ts";

test("a made history is one of Claude Code, some 3.5 MB a session", async () => {
  using folder = new Folder();
  const { bytes } = makeHistory(folder.path, 2);
  expect(bytes / 2).toBeGreaterThan(3_200_000);
  expect(bytes / 2).toBeLessThan(3_800_000);
  const {
    sessions,
    usage,
    mcp_calls: calls,
    bad_lines: bad,
  } = await reportOf("claude-code", [folder.path]);
  // Of 400 turns, 134 ask for a tool of the client.
  expect([sessions, usage.requests, calls, bad]).toEqual([2, 400, 266, 0]);
});
