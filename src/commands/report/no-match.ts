import { noteNameColumnsMax } from "#kit/limits.ts";
import { periodText } from "#screens/renderers/documents/usage-period.ts";
import { periodOf } from "#history/reports/make-report.ts";
import type { TimeRange } from "#history/reports/time-range.ts";
import type { TimeZone } from "#history/reports/time-zone.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import { safeName } from "#kit/text/safe-name.ts";
import { reportSentences } from "./sentences.ts";

const servedServersMax = 10;

/** Names the servers that there are: a name in the filters may be wrong. */
export function noMatchSentence(
  facts: readonly UsageFact[],
  { range, zone }: { readonly range: TimeRange; readonly zone: TimeZone },
): string {
  const servers = [...new Set(facts.map(({ server }) => server))];
  const names = servers
    .slice(0, servedServersMax)
    .map((name) => safeName(name, noteNameColumnsMax));
  const period = periodText({ ...periodOf(range, zone), timezone: zone.name });
  return reportSentences.noMatch(period, names.join(", "));
}
