import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { recordTarget } from "#commands/run/record-target.ts";
import { Folder } from "../../support/folder.ts";
import { sessionRecord } from "../../support/made-records.ts";

const options = {
  log: undefined,
  isSynced: false,
  sessionId: "12345678-aaaa-4bbb-8ccc-000000000000",
  env: {},
};

test("a named file is opened at once, and is the same for every record", () => {
  using folder = new Folder();
  const target = recordTarget({ ...options, log: folder.at("r") }, () => expect.unreachable());
  expect(existsSync(folder.at("r"))).toBe(true);
  expect(target(sessionRecord())?.path).toBe(folder.at("r"));
});

test("a file of the session's own is made with its first record, dated and named by it", () => {
  using folder = new Folder();
  const env = { XDG_STATE_HOME: folder.path };
  const target = recordTarget({ ...options, env }, () => expect.unreachable());
  expect(existsSync(folder.at("mcp-meter"))).toBe(false);
  expect(target(sessionRecord({ server: "a/b" }))?.path).toBe(
    folder.at("mcp-meter", "sessions", "2026-09-01", "120000-a-b-12345678.ndjson"),
  );
});

test("what cannot be opened is told once and is no file", () => {
  using folder = new Folder();
  const told: string[] = [];
  const target = recordTarget({ ...options, log: folder.path }, (sentence) => told.push(sentence));
  expect([target(sessionRecord()), target(sessionRecord())]).toEqual([undefined, undefined]);
  expect(told).toEqual([
    `Cannot write records to "${folder.path}": it is a directory, not a regular file`,
  ]);
});
