import type {
  Measures,
  ServerRent,
  UsageBlock,
  UsageReport,
} from "#history/reports/usage-report.ts";
import { formatDollarRange, formatCount, formatShare, plural } from "#kit/text/numbers.ts";
import type { Note, Span } from "../../document.ts";
import { separated, type TokenFormat } from "../parts.ts";

export const rentsNamedMax = 3;

export function loggedNotes({
  imported_calls: imported = 0,
  paired_calls: paired = 0,
}: Measures): Note[] {
  if (imported + paired === 0) return [];
  const both = paired === 0 ? "" : `; ${plural(paired, "call")} on the wire too, counted once`;
  return [{ label: "imported", text: `${plural(imported, "call")} from logs of clients${both}` }];
}

export function conversationNotes({ conversations: found }: UsageReport): Note[] {
  if (!found || found.whole_usd === 0) return [];
  const part = (dollars: number): string => {
    const amount = formatDollarRange({ low: dollars, high: dollars });
    return `${amount} (${formatShare(dollars / found.whole_usd)})`;
  };
  const whole = formatDollarRange({ low: found.whole_usd, high: found.whole_usd });
  const rent = found.definitions_usd === 0 ? "" : `, definitions ${part(found.definitions_usd)}`;
  const text = `${plural(found.conversations, "conversation")} in logs, ${whole}: MCP calls ${part(found.calls_usd)}${rent}, everything else ${part(found.other_usd)}`;
  return [{ label: "conversations", text }];
}

type Count = TokenFormat["count"];

export function rentNotes(
  { rents = [] }: UsageBlock,
  report: Pick<UsageReport, "since" | "until">,
  count: Count,
): Note[] {
  const known = rents.filter(({ rent_tokens: tokens }) => tokens !== null && tokens > 0);
  const unknown = rents.filter(({ rent_unknown_requests: requests }) => requests > 0);
  return [
    ...known.slice(0, rentsNamedMax).map((rent): Note => {
      return { label: "rent", text: rentText(rent, periodWords(report), count) };
    }),
    ...(unknown.length === 0 ? [] : [{ label: "rent", text: unknownText(unknown) }]),
  ];
}

function rentText(rent: ServerRent, period: string, count: Count): readonly Span[] {
  const { server, calls, rent_tokens: tokens, rent_usd: dollars } = rent;
  const requests = rent.rent_requests - rent.rent_unknown_requests;
  const price =
    typeof dollars === "number" && dollars > 0
      ? `, ${formatDollarRange({ low: dollars, high: dollars })}`
      : "";
  const use = calls === 0 ? `never called${period}` : plural(calls, "call");
  const carried = `${count(tokens ?? 0)} tokens of definitions in ${plural(requests, "request")}`;
  return [{ name: server }, `: ${use}, ${carried}${price}`];
}

function periodWords({ since, until }: Pick<UsageReport, "since" | "until">): string {
  if (since === null || until === null) return "";
  const days = Math.round((Date.parse(until) - Date.parse(since)) / 86_400_000);
  return days < 1 ? "" : ` in ${plural(days, "day")}`;
}

function unknownText(rents: readonly ServerRent[]): readonly Span[] {
  const requests = rents.reduce((sum, rent) => sum + rent.rent_unknown_requests, 0);
  const more = rents.length - rentsNamedMax;
  return [
    ...separated(rents.slice(0, rentsNamedMax).map(({ server }) => [{ name: server }])),
    more > 0 ? ` and ${formatCount(more)} more` : "",
    `: definitions in ${plural(requests, "request")} are unknown, not 0; a session behind mcp-meter records them`,
  ];
}
