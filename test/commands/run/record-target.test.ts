import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { namedRecordFile, newRecordFile } from "#commands/run/record-target.ts";
import { Folder } from "../../support/folder.ts";
import { sessionRecord } from "../../support/made-records.ts";

const options = { isSynced: false, sessionId: "12345678-aaaa-4bbb-8ccc-000000000000" };

test("a named file is opened at once", () => {
  using folder = new Folder();
  const file = namedRecordFile(folder.at("r"), false, () => expect.unreachable());
  expect(existsSync(folder.at("r"))).toBe(true);
  expect(file?.path).toBe(folder.at("r"));
});

test("a file of the session's own is made with its first record, dated and named by it", () => {
  using folder = new Folder();
  const env = { XDG_STATE_HOME: folder.path };
  const target = newRecordFile({ ...options, env }, () => expect.unreachable());
  expect(existsSync(folder.at("mcp-meter"))).toBe(false);
  expect(target(sessionRecord({ server: "a/b" }))?.path).toBe(
    folder.at("mcp-meter", "sessions", "2026-09-01", "120000-a-b-12345678.ndjson"),
  );
});

test("what cannot be opened is reported, and is no file", () => {
  using folder = new Folder();
  const told: string[] = [];
  const tell = (sentence: string) => told.push(sentence);
  expect(namedRecordFile(folder.path, false, tell)).toBeUndefined();
  expect(newRecordFile({ ...options, env: {} }, tell)(sessionRecord())).toBeUndefined();
  expect(told).toEqual([
    `Cannot write records to "${folder.path}": it is a directory, not a regular file`,
    "Cannot keep records: set HOME or XDG_STATE_HOME, or pass --log FILE",
  ]);
});
