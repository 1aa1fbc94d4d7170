import { readFileSync } from "node:fs";
import type { Importer } from "#history/imports/importer.ts";
import { mergeLogs, type ReadLog } from "#history/imports/merge-logs.ts";
import { sumUsage } from "#history/imports/import-report.ts";
import { findLogs, listLogFolders, type LogFile } from "#state/storage/logs/find-logs.ts";
import { LogLines, OpenLog } from "#state/storage/logs/read-log.ts";
import { plainUtils } from "./logs.ts";

type LogBytes = { readonly log: LogFile; readonly bytes: Buffer };

export function logsBelow(importer: Importer, home: string): readonly LogBytes[] {
  const { files } = findLogs(
    listLogFolders(importer, { folder: home, env: {}, platform: "linux" }),
  );
  return files
    .filter(({ form }) => form === "lines")
    .map((log) => ({ log, bytes: readFileSync(log.file) }));
}

export function readLogBytes(importer: Importer, { log, bytes }: LogBytes): ReadLog {
  const file = new OpenLog(importer, log.path, plainUtils);
  const lines = new LogLines((...line) => file.take(...line));
  lines.push(bytes);
  file.takeLast(lines.end() ?? Buffer.alloc(0));
  return file.result();
}

/** The numbers of merged logs that may never grow when a file is cut. */
function totalsOf(logs: readonly ReadLog[]): readonly number[] {
  const { requests, calls, rejected } = mergeLogs(logs, ["docs"]);
  return [...Object.values(sumUsage(requests)), calls.length + rejected.length];
}

/** Cuts at which a home of logs has more than the whole; `step` is the number of bytes between two cuts. */
export function listInflatingCuts(
  importer: Importer,
  home: string,
  step: number,
): readonly string[] {
  const files = logsBelow(importer, home);
  const whole = files.map((file) => readLogBytes(importer, file));
  const most = totalsOf(whole);
  const wrong: string[] = [];
  for (const [index, file] of files.entries()) {
    for (let end = file.bytes.length; end >= 0; end -= step) {
      const cut = readLogBytes(importer, { ...file, bytes: file.bytes.subarray(0, end) });
      const totals = totalsOf(whole.with(index, cut));
      if (totals.some((total, at) => total > (most[at] ?? 0))) {
        wrong.push(`${file.log.path} cut at ${end}: ${totals.join(" ")} > ${most.join(" ")}`);
      }
    }
  }
  return wrong;
}
