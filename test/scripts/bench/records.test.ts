import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countRecords } from "../../../scripts/bench/records.ts";

const directory = mkdtempSync(join(tmpdir(), "bench-records-"));
const path = join(directory, "records.ndjson");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("calls, unanswered calls and torn lines are counted, a torn tail too", async () => {
  const call = { session_id: "s", request_id: 1, type: "call", outcome: "ok", tool: "größer" };
  const lines = [
    JSON.stringify({ type: "session" }),
    JSON.stringify(call),
    '{"type":"call","outc{"type":"call"}',
    "7",
    "",
    JSON.stringify({ ...call, request_id: "1", outcome: "abandoned", truncated: true }),
    JSON.stringify({ type: "end", calls: 9, dropped_records: 4 }),
    '{"type":"en',
  ];
  writeFileSync(path, lines.join("\n"));
  expect(await countRecords(path)).toEqual({
    lines: 7,
    torn: 3,
    calls: 2,
    once: 2,
    unanswered: 1,
    truncated: 1,
    counted: 9,
    dropped: 4,
  });
});

test("a call with two records is not recorded once, another session's call of that id is", async () => {
  const records = [
    { session_id: "a", request_id: 1 },
    { session_id: "a", request_id: 2 },
    { session_id: "a", request_id: 2 },
    { session_id: "a", request_id: 2 },
    { session_id: "b", request_id: 2 },
  ];
  const lines = records.map((record) => JSON.stringify({ ...record, type: "call", outcome: "ok" }));
  writeFileSync(path, lines.join("\n"));
  expect(await countRecords(path)).toMatchObject({ calls: 5, once: 2 });
});
