import { formatCount } from "#kit/text/numbers.ts";
import { UserError } from "#kit/errors.ts";
import { type RecordSources, recordFilesMax } from "#state/storage/find-record-files.ts";
import {
  readRecords,
  type SkippedLines,
  type TakeImported,
  type TakeRecord,
} from "#state/storage/read-records.ts";
import type { Tell } from "#kit/text/teller.ts";
import { reportSentences, describeSkips } from "./sentences.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import { describeTool } from "#history/reports/report-rows.ts";
import { findNearestName, isWildcard } from "#kit/text/match-names.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { type TimeZone } from "#history/reports/calendar.ts";
import { describePeriod, type TimeRange } from "#history/reports/time-range.ts";
import type { UsageFact } from "#history/reports/usage-cube.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { formatPeriod, noteNameColumnsMax } from "#screens/renderers/documents/shared-texts.ts";
import { formatSuggestion } from "#kit/sentences.ts";

export const skippedFilesNamedMax = 10;

type ReadExtras = {
  readonly afterFile?: (() => Promise<void>) | undefined;
  readonly takeImported?: TakeImported | undefined;
};

export async function readSources(
  { sources, leftOut }: RecordSources,
  take: TakeRecord,
  tell: Tell,
  { afterFile, takeImported }: ReadExtras = {},
): Promise<number> {
  const skips: FileSkips[] = [];
  let records = 0;
  for (const { file, isNamed } of sources) {
    try {
      const read = await readRecords(file, take, takeImported);
      records += read.records;
      const { incomplete, newer, foreign } = read.skipped;
      const lines = incomplete + newer + foreign;
      if (lines > 0) skips.push({ file, lines, ...read.skipped });
    } catch (error) {
      if (isNamed || !(error instanceof UserError)) throw error;
      tell(error.message);
    }
    await afterFile?.();
  }
  tellSkips(skips, tell);
  if (leftOut > 0) tell(reportSentences.recordFilesLeftOut(leftOut, recordFilesMax));
  return records;
}

type FileSkips = SkippedLines & { readonly file: string; readonly lines: number };

function tellSkips(skips: readonly FileSkips[], tell: Tell): void {
  for (const { file, lines, incomplete, newer, foreign } of skips.slice(0, skippedFilesNamedMax)) {
    tell(reportSentences.linesSkipped(file, lines, describeSkips(incomplete, newer, foreign)));
  }
  const others = skips.slice(skippedFilesNamedMax);
  const lines = others.reduce((sum, skip) => sum + skip.lines, 0);
  if (lines > 0) tell(reportSentences.moreLinesSkipped(lines, others.length));
}

const namesShownMax = 10;

export function describeNoMatch(
  facts: readonly UsageFact[],
  { range, zone, filters }: NoMatch,
): string {
  const servers = facts.map(({ server }) => server);
  const clients = facts.map(({ session: { client } }) => client ?? "");
  const tools = facts.map(({ method, tool }) => describeTool(method, tool));
  const unknown =
    describeUnknown("tool", filters.tools, tools) ??
    describeUnknown("server", filters.servers, servers) ??
    describeUnknown("client", filters.clients.map(nameClient), clients);
  const period = formatPeriod({ ...describePeriod(range, zone), timezone: zone.name });
  const known = [
    ...(filters.tools.length > 0 ? [["tools", listNames(tools)] as const] : []),
    ["servers", listNames(servers)] as const,
    ["clients", listNames(clients)] as const,
  ].flatMap(([kind, names]) => (names === "" ? [] : [`${kind}: ${names}`]));
  return reportSentences.noMatch(period, unknown, known.join("; "));
}

type NoMatch = {
  readonly range: TimeRange;
  readonly zone: TimeZone;
  readonly filters: NameFilters;
};

function describeUnknown(
  kind: "tool" | "server" | "client",
  patterns: readonly string[],
  names: readonly string[],
): string | undefined {
  const unknown = patterns.find((pattern) => !isWildcard(pattern) && !names.includes(pattern));
  if (unknown === undefined) return undefined;
  const nearest = findNearestName(unknown, names) ?? names.find((name) => isPrefix(unknown, name));
  const suggestion = formatSuggestion(nearest && listNames([nearest]));
  return `no ${kind} is named "${listNames([unknown])}"${suggestion}`;
}

const prefixCharactersMin = 3;

function isPrefix(prefix: string, name: string): boolean {
  return prefix.length >= prefixCharactersMin && name.startsWith(prefix);
}

function listNames(names: readonly string[]): string {
  const known = [...new Set(names)].filter((name) => name !== "");
  const shown = known
    .slice(0, namesShownMax)
    .map((name) => makeSafeName(name, noteNameColumnsMax))
    .join(", ");
  const more = known.length - namesShownMax;
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown;
}
