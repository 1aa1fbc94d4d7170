import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countRecords } from "../../../scripts/bench/records.ts";

const directory = mkdtempSync(join(tmpdir(), "bench-records-"));
const path = join(directory, "records.ndjson");
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("calls, unanswered calls and torn lines are counted, a torn tail too", async () => {
  const call = { type: "call", outcome: "ok", tool: "größer" };
  const lines = [
    JSON.stringify({ type: "session" }),
    JSON.stringify(call),
    '{"type":"call","outc{"type":"call"}',
    "7",
    "",
    JSON.stringify({ ...call, outcome: "abandoned", truncated: true }),
    JSON.stringify({ type: "end", calls: 9, dropped_records: 4 }),
    '{"type":"en',
  ];
  writeFileSync(path, lines.join("\n"));
  expect(await countRecords(path)).toEqual({
    lines: 7,
    torn: 3,
    calls: 2,
    unanswered: 1,
    truncated: 1,
    counted: 9,
    dropped: 4,
  });
});
