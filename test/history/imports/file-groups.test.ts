import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { findTies, groupFiles } from "#history/imports/file-groups.ts";
import { combineReports, reportClient } from "#history/imports/import-report.ts";
import type { LogEvent } from "#history/imports/log-event.ts";
import { sessionStartMaxMs } from "#history/imports/requests-from-totals.ts";
import { mergeLogs, noFileCounts, type ReadLog } from "#history/imports/merge-logs.ts";
import { importerIds } from "#history/importers/ids.ts";
import { importers } from "#history/importers/index.ts";
import {
  always,
  logsFolder,
  readHome,
  requestLine,
  resultLine,
  useLine,
} from "../../support/logs.ts";

const servers = ["docs"];

const findGroups = (logs: readonly ReadLog[]) =>
  groupFiles(logs.map((log) => ({ log, ties: findTies(log.events) }))).map((group) =>
    group.map(({ log }) => log),
  );

const report = (id: string, logs: readonly ReadLog[]) =>
  reportClient(id, mergeLogs(logs, servers), { range: always, knownServers: servers });

const homes = [
  ...importerIds.map((id) => [id, id] as const),
  ...["all", "all197", "bud", "lim1000", "res", "sub"].map(
    (run) => ["claude-code", join("claude-code-runs", run)] as const,
  ),
  ["codex", "codex-runs"] as const,
];

describe.each(homes)("%s in %s", (id, home) => {
  test("files that are merged in groups have the report of all files merged at once", async () => {
    const logs = await readHome(importers[id], join(logsFolder, home));
    const groups = findGroups(logs);
    expect(groups.flat().length).toBe(logs.length);
    const reports = groups.map((group) => report(id, group));
    expect(combineReports(id, servers, reports)).toEqual(report(id, logs));
  });
});

const at = Date.parse("2026-03-14T00:00:00Z");

const makeFile = (...events: readonly LogEvent[]): ReadLog => ({ events, counts: noFileCounts });

const request = (conversation: string, message: string) =>
  requestLine({ at, conversation, keys: { message, request: null, line: null } });

const total = (conversation: string, startMs: number): LogEvent => ({
  kind: "session_total",
  at,
  conversation,
  startMs,
  models: [],
});

const measureGroups = (...files: readonly ReadLog[]) =>
  findGroups(files).map(({ length }) => length);

test.each<[string, ReadLog, ReadLog]>([
  ["a request", makeFile(request("a", "m")), makeFile(request("b", "m"))],
  ["a conversation", makeFile(request("a", "m")), makeFile(request("a", "n"))],
  ["a call", makeFile(useLine({ conversation: "a" })), makeFile(resultLine({ conversation: "b" }))],
  ["a start", makeFile(total("a", 5)), makeFile(total("b", 5))],
  [
    "a session that began soon after a start",
    makeFile(total("a", at)),
    makeFile(request("b", "m")),
  ],
])("files with %s in common are one group, in whichever order", (_name, first, second) => {
  const stranger = makeFile(
    requestLine({
      at: 0,
      conversation: "c",
      keys: { message: "other", request: null, line: null },
    }),
  );
  expect(measureGroups(first, stranger, second)).toEqual([2, 1]);
  expect(measureGroups(stranger, second, first)).toEqual([1, 2]);
});

test("a group is joined by a file that comes last", () => {
  const files = [makeFile(request("a", "m")), makeFile(request("b", "n"))];
  expect(measureGroups(...files)).toEqual([1, 1]);
  expect(measureGroups(...files, makeFile(request("a", "o"), request("c", "n")))).toEqual([3]);
});

test("a session that began long after a start is a group of its own", () => {
  const start = at - sessionStartMaxMs - 1;
  expect(measureGroups(makeFile(total("a", start)), makeFile(request("b", "m")))).toEqual([1, 1]);
});
