import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { mergeLogs } from "#history/imports/merge-logs.ts";
import { reportClient } from "#history/imports/import-report.ts";
import { importerIds } from "#history/importers/ids.ts";
import { importers } from "#history/importers/index.ts";
import { listInflatingCuts } from "../../support/cut-logs.ts";
import { always, logsFolder, readHome } from "../../support/logs.ts";

// Bytes between cuts: a prime, so that cuts fall anywhere in a line. The slow test has more of them.
const step = 509;

describe.each(importerIds)("%s", (id) => {
  const importer = importers[id];
  const home = join(logsFolder, id);

  test("a file that is cut anywhere is read, and has no more than the whole file", () => {
    expect(listInflatingCuts(importer, home, step)).toEqual([]);
  });

  test("files in any order, once or twice, have the same totals", async () => {
    const logs = await readHome(importer, home);
    const report = (files: typeof logs) => {
      const {
        files_read: _files,
        torn_lines: _torn,
        bad_lines: _bad,
        ...rest
      } = reportClient(id, mergeLogs(files, ["docs"]), { range: always, knownServers: ["docs"] });
      return { ...rest, unknown_records: 0 };
    };
    const expected = report(logs);
    for (let shift = 0; shift <= logs.length; shift += 1) {
      const turned = [...logs.slice(shift), ...logs.slice(0, shift)];
      expect(report(turned)).toEqual(expected);
      expect(report(turned.toReversed())).toEqual(expected);
      expect(report([...turned, ...logs])).toEqual(expected);
    }
  });
});

test.each(["res", "sub"])(
  "a run of Claude Code with compactions, forks or sub-agents: %s",
  (run) => {
    const home = join(logsFolder, "claude-code-runs", run);
    expect(listInflatingCuts(importers["claude-code"], home, 101)).toEqual([]);
  },
);

test("runs of Codex with forks and sub-agents", () => {
  expect(listInflatingCuts(importers.codex, join(logsFolder, "codex-runs"), 4_999)).toEqual([]);
});
