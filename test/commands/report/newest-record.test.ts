import { expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { newestRecordBefore } from "#commands/report/newest-record.ts";
import { Folder } from "../../support/folder.ts";

function put(file: string, seconds: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  utimesSync(file, seconds, seconds);
}

test("the newest file of sessions and imports before a moment counts", () => {
  using folder = new Folder();
  put(folder.at("sessions/2026-03-13/a.ndjson"), 1000);
  put(folder.at("imports/codex/b.ndjson"), 2000);
  put(folder.at("imports/codex/c.ndjson"), 4000);
  put(folder.at("imports/servers.json"), 2500);
  expect(newestRecordBefore(folder.path, 3_000_000)).toBe(2_000_000);
  expect(newestRecordBefore(folder.path, 1_500_000)).toBe(1_000_000);
  expect(newestRecordBefore(folder.path, 1_000_000)).toBeUndefined();
  expect(newestRecordBefore(folder.at("none"), 1)).toBeUndefined();
});
