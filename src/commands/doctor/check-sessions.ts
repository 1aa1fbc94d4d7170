import { UserError } from "#kit/errors.ts";
import type { EndRecord, FaultRecord } from "#records/record.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { findStateFolder, locateImports, locateSessions } from "#state/storage/folders.ts";
import {
  listDayFolders,
  readFileFacts,
  listRecordFiles,
} from "#state/storage/live/session-files.ts";
import { isUnfinished } from "#state/storage/logs/write-imports.ts";
import { findRecordSourcesBelow } from "#state/storage/find-record-files.ts";
import { countNewlines } from "#state/storage/record-file.ts";
import { readRecords, takeRecordBytes } from "#state/storage/read-records.ts";
import { formatBytes, pluralize } from "#kit/text/numbers.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import { type Examine, ok, warning, faultsShownMax, broken } from "./finding.ts";
import { alertFailures } from "#state/alerting/sentences.ts";
import { describeRedisCause } from "#state/stores/sentences.ts";
import { existsSync } from "node:fs";
import { describeReason } from "#kit/sentences.ts";

export const examinedSessionsMax = 50;

// A session of ten thousand calls writes this much.
const examinedBytesMax = 16_000_000;

const sessionsCheck = "sessions";

export const checkSessions: Examine = async ({ env }) => {
  const folder = findStateFolder(env);
  const paths = folder === undefined ? [] : listNewestFiles(locateSessions(folder));
  if (paths.length === 0) return [ok(sessionsCheck, "none recorded yet")];
  const examined = new ExaminedSessions();
  for (const path of paths) await examined.read(path);
  const findings = examined.listFindings();
  const summary = `the last ${pluralize(paths.length, "session")}, ${pluralize(examined.recordCount, "record")}, no faults`;
  const { unreadCount } = examined;
  const unread = `; not read: ${pluralize(unreadCount, "session")} larger than ${formatBytes(examinedBytesMax)}`;
  const detail = unreadCount === 0 ? summary : summary + unread;
  return findings.length > 0 ? findings : [ok(sessionsCheck, detail)];
};

function listNewestFiles(sessions: string): readonly string[] {
  const paths: string[] = [];
  for (const day of listDayFolders(sessions)) {
    paths.push(...listRecordFiles(day));
    if (paths.length >= examinedSessionsMax) break;
  }
  return paths.slice(0, examinedSessionsMax);
}

const lineFaults = [
  ["incomplete", "incomplete lines, as left by a killed session"],
  ["newer", "records from a newer version of mcp-meter"],
  ["foreign", "lines that are not records"],
] as const;

type Faults = Map<string, string[]>;

class ExaminedSessions {
  recordCount = 0;
  unreadCount = 0;
  readonly #meteringFaults: Faults = new Map();
  readonly #newestTimes = new Map<string, string>();
  readonly #fileFaults: Faults = new Map();
  readonly #unwrittenRecords: { path: string; count: number }[] = [];

  async read(path: string): Promise<void> {
    const bytes = readFileFacts(path)?.bytes;
    if (bytes === undefined) return;
    if (bytes > examinedBytesMax) {
      this.unreadCount += 1;
      return;
    }
    let end: EndRecord | undefined;
    try {
      const { records, skipped } = await readRecords(path, (record) => {
        if (record.type === "fault") this.#noteFault(record, path);
        if (record.type === "end") end = record;
      });
      this.recordCount += records;
      for (const [kind, fault] of lineFaults) {
        if (skipped[kind] > 0) addPath(this.#fileFaults, fault, path);
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      addPath(this.#fileFaults, error.message, path);
    }
    if (end && end.dropped_records > 0)
      this.#unwrittenRecords.push({ path, count: end.dropped_records });
  }

  #noteFault(record: FaultRecord, path: string): void {
    const fault = `${record.where}: ${describeCause(record.where, record.what)}`;
    const time = formatMinute(record.ts);
    // The newest file comes first, but its newest record comes last.
    const isNewestFile = (this.#meteringFaults.get(fault) ?? [path])[0] === path;
    if (isNewestFile && time !== undefined) this.#newestTimes.set(fault, time);
    addPath(this.#meteringFaults, fault, path);
  }

  #warnAboutFault(fault: string, paths: readonly string[]): Finding {
    const time = this.#newestTimes.get(fault);
    const when = time === undefined ? "" : ` in a session at ${time}`;
    return warnAbout(`a metering fault${when}: ${fault}`, paths);
  }

  listFindings(): readonly Finding[] {
    const faults = [...this.#meteringFaults].slice(0, faultsShownMax);
    const unwrittenCount = this.#unwrittenRecords.reduce((sum, { count }) => sum + count, 0);
    return [
      ...[...this.#fileFaults]
        .slice(0, faultsShownMax)
        .map(([fault, paths]) => warnAbout(fault, paths)),
      ...faults.map(([fault, paths]) => this.#warnAboutFault(fault, paths)),
      ...(unwrittenCount === 0
        ? []
        : [
            warnAbout(
              `${pluralize(unwrittenCount, "record")} not written`,
              this.#unwrittenRecords.map(({ path }) => path),
            ),
          ]),
    ];
  }
}

function formatMinute(ts: string): string | undefined {
  const ms = Date.parse(ts);
  return Number.isNaN(ms) ? undefined : `${new TimeZone("UTC").formatMinute(ms)} UTC`;
}

function addPath(faults: Faults, fault: string, path: string): void {
  const paths = faults.get(fault);
  if (!paths) faults.set(fault, [path]);
  else if (paths.at(-1) !== path) paths.push(path);
}

function warnAbout(fault: string, paths: readonly string[]): Finding {
  const [newest = ""] = paths;
  const where = `${pluralize(paths.length, "session")}, most recently in ${newest}`;
  return warning(
    sessionsCheck,
    `${fault} (${where})`,
    `mcp-meter report ${quoteShellWord(newest)}`,
  );
}

function describeCause(where: string, what: string): string {
  if (where === "budget counters") return describeRedisCause(what);
  if (where === "alert command") return describeAlertFailure(what);
  const isOptionName = where === "config" && /^[a-z_]+(?:\.\(name\))?[a-z_.[\]\d]*$/.test(what);
  return isOptionName ? `a mistake in ${what}` : describeReason(what);
}

function describeAlertFailure(what: string): string {
  const code = /^exit (\d{1,3})$/.exec(what)?.[1];
  if (code !== undefined) return alertFailures.exit(Number(code));
  if (what === "timeout") return alertFailures.timedOutOrAtEnd();
  return /^SIG[A-Z]+$/.test(what) ? alertFailures.signal(what) : describeReason(what);
}

const importsCheck = "imports";

export const checkImports: Examine = async ({ env }) => {
  const folder = findStateFolder(env);
  if (folder === undefined) return [];
  const imports = locateImports(folder);
  try {
    const { files, records, firstDay } = await countImports(imports);
    if (isUnfinished(imports)) {
      return [warning(importsCheck, "an import is running or was interrupted", "mcp-meter import")];
    }
    const since = firstDay === "" ? "" : ` since ${firstDay}`;
    const detail = `${pluralize(records, "record")} of ${pluralize(files, "conversation")}${since}; each sub-agent counts as a conversation`;
    return [
      ok(importsCheck, files === 0 ? "none yet; mcp-meter import reads clients' logs" : detail),
    ];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [warning(importsCheck, error.message, `ls -lR ${quoteShellWord(imports)}`)];
  }
};

const recordDay = /"ts":"(\d{4}-\d\d-\d\d)/;

// Each conversation has a file, which begins with its oldest record. Counts lines without parsing them,
// because a year of logs has millions.
async function countImports(folder: string) {
  const { sources } = findRecordSourcesBelow(folder, -Infinity);
  let records = 0;
  let firstDay = "";
  for (const { file } of sources) {
    let isFirst = true;
    await takeRecordBytes(file, (chunk) => {
      records += countNewlines(chunk);
      const beginning = isFirst ? Buffer.from(chunk.subarray(0, recordBeginningBytes)) : "";
      const day = recordDay.exec(beginning.toString("latin1"))?.[1];
      if (day !== undefined && (firstDay === "" || day < firstDay)) firstDay = day;
      isFirst = false;
    });
  }
  return { files: sources.length, records, firstDay };
}

const recordBeginningBytes = 1_024;

const totalsCheck = "day totals";

export const checkTotals: Examine = async ({ env }) => {
  const folder = findStateFolder(env);
  if (folder === undefined) return [];
  const { readTotals, locateTotals } = await import("#state/storage/prune/totals-file.ts");
  const path = locateTotals(folder);
  if (!existsSync(path))
    return [ok(totalsCheck, "none yet; the first prune of metered sessions creates them")];
  try {
    const rows = readTotals(folder)?.totals.length ?? 0;
    return [ok(totalsCheck, `${pluralize(rows, "row")} in ${path}`)];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [
      // Not only a warning: `prune` removes nothing while this file is unreadable.
      broken(
        totalsCheck,
        error.message,
        `mv ${quoteShellWord(path)} ${quoteShellWord(`${path}.old`)}`,
      ),
    ];
  }
};
