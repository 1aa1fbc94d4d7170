import type {
  Measures,
  ServerRent,
  UsageBlock,
  UsageReport,
} from "#history/reports/usage-report.ts";
import { addUp, formatShare, pluralize } from "#kit/text/numbers.ts";
import type { Note, Span } from "../document.ts";
import { formatDollars, listChangeNotes } from "./cost-notes.ts";
import { listNames, noteIf } from "./shared-texts.ts";
import type { TokenFormat } from "../token-ranges.ts";

export const rentsNamedMax = 3;

export function listLoggedNotes({
  imported_calls: imported = 0,
  paired_calls: paired = 0,
}: Measures): Note[] {
  if (imported + paired === 0) return [];
  const pairedText =
    paired === 0
      ? ""
      : `; ${pluralize(paired, "more call")} in both logs and records, counted only once`;
  const calls = `${pluralize(imported, "call")} from client logs, without the definitions of their servers`;
  return [{ label: "imported", text: `${calls}${pairedText}` }];
}

export function listRefusedNotes({ refused, withheld }: Measures): Note[] {
  if (refused === 0) return [];
  const withheldText = withheld === 0 ? "" : `; ${pluralize(withheld, "answer")} withheld`;
  const text = `${pluralize(refused, "call")}, by budgets or other limits${withheldText}`;
  return [{ label: "refused", text }];
}

export function listRepeatNotes(
  { repeated_calls: calls, saved_tokens: saved }: Measures,
  { tokens }: Pick<TokenFormat, "tokens">,
): Note[] {
  if (calls === 0) return [];
  const text = `${pluralize(calls, "call")} with the tool and arguments of an earlier call in the session; the answers may differ`;
  const savings =
    saved === 0 ? "" : `; ${tokens(saved)} saved by notes that replaced unchanged answers`;
  return [{ label: "repeats", text: text + savings }];
}

export function listConversationNotes({ conversations: totals }: UsageReport): Note[] {
  if (!totals || totals.whole_usd === 0) return [];
  const formatPart = (dollars: number): string =>
    `${formatDollars(dollars)} (${formatShare(dollars / totals.whole_usd)})`;
  const total = `${pluralize(totals.conversations, "conversation")} in client logs of this period, ${formatDollars(totals.whole_usd)}`;
  const definitions =
    totals.definitions_usd === 0 ? "" : `, definitions ${formatPart(totals.definitions_usd)}`;
  const text = `${total}: MCP calls ${formatPart(totals.calls_usd)}${definitions}, everything else ${formatPart(totals.other_usd)}`;
  return [{ label: "conversations", text }];
}

export function listToolListNotes(totals: Measures, format: TokenFormat): readonly Note[] {
  return listChangeNotes({ ...totals, changes: totals.list_changes }, format);
}

export function listRentNotes(
  { rents = [] }: UsageBlock,
  report: Pick<UsageReport, "since" | "until">,
  count: TokenFormat["count"],
): Note[] {
  if (rents.length === 0) {
    return [
      { label: "re-sent", text: "unknown: no client logs of this period show these servers" },
    ];
  }
  const knownRents = rents.filter(({ rent_tokens: tokens }) => tokens !== null && tokens > 0);
  const unknownRents = rents.filter(({ rent_unknown_requests: requests }) => requests > 0);
  const period = describePeriod(report);
  return [
    ...knownRents
      .slice(0, rentsNamedMax)
      .map((rent): Note => ({ label: "re-sent", text: describeRent(rent, period, count) })),
    ...noteIf(unknownRents.length > 0, "re-sent", describeUnknownRents(unknownRents)),
  ];
}

function describeRent(
  rent: ServerRent,
  period: string,
  count: TokenFormat["count"],
): readonly Span[] {
  const { server, calls, rent_tokens: tokens, rent_usd: dollars } = rent;
  const requests = rent.rent_requests - rent.rent_unknown_requests;
  const price = typeof dollars === "number" && dollars > 0 ? `, ${formatDollars(dollars)}` : "";
  const use = calls === 0 ? `never called${period}` : pluralize(calls, "call");
  const resent = `${count(tokens ?? 0)} tokens of definitions in ${pluralize(requests, "request")}`;
  return [{ name: server }, `: ${use}, ${resent}${price}`];
}

function describePeriod({ since, until }: Pick<UsageReport, "since" | "until">): string {
  if (since === null || until === null) return "";
  const days = Math.round((Date.parse(until) - Date.parse(since)) / 86_400_000);
  return days < 1 ? "" : ` in ${pluralize(days, "day")}`;
}

function describeUnknownRents(rents: readonly ServerRent[]): readonly Span[] {
  const requests = addUp(rents.map((rent) => rent.rent_unknown_requests));
  return [
    ...listNames(
      rents.map(({ server }) => ({ name: server })),
      rentsNamedMax,
    ),
    `: the size of the definitions in ${pluralize(requests, "request")} is unknown; run ${rents.length === 1 ? "this server" : "these servers"} through mcp-meter to record it`,
  ];
}
