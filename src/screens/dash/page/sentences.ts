import type { CountedShare } from "#history/reports/usage-report.ts";
import { formatCount, formatSmallShare, pluralize } from "#kit/text/numbers.ts";
import { formatDay } from "./format.ts";

export const pageSentences = {
  connection: {
    connecting: "connecting",
    live: "live",
    reconnecting: "reconnecting",
    lost: "not connected",
  },
  serverLost:
    "This page's server has stopped or restarted. Open the address that this command prints:",
  reconnecting: "Connection lost. The numbers below are from the last update; reconnecting.",
  loading: "Reading the records…",
  copied: "Copied.",
  copyFailed: "The browser did not allow copying.",
  noRecords: "No calls were recorded in this period.",
  noRecordsAdvice: "Run your servers through mcp-meter, or import the logs of your clients:",
  noMatch: "No row matches the filter.",
  noRows: "None in this period.",
  hiddenColumns: (columns: string) => `Scroll sideways for ${columns} →`,
  fromLog: (client: string) =>
    `From the log of ${client}. It has the calls, but neither the definitions nor the messages on the wire.`,
  noSession:
    "This page has no records of this session: mcp-meter prune removed them, or they are from before the period that this page covers.",
  noSessionAdvice: "List the sessions of the last 7 days:",
  noTool: "This tool was not called in this period.",
  noToolAdvice: "List the tools that were called in the last 7 days:",
  noList: "This server listed no tools in this period.",
  definitionsNotLogged:
    "The calls of this server are from client logs, which do not contain definitions.",
  definitionsNotLoggedAdvice: "To record its definitions, run the server through mcp-meter:",
  noDefinitions: "No server listed its tools in this period.",
  noDefinitionsAdvice: "Count the definitions of your servers without recording a session:",
  newestList: (day: string, time: string) => `The newest list is from ${day}, ${time}.`,
  matchesLock: (file: string) => `All tools match the lock ${file}.`,
  comparedWithLock: (file: string, change: string) =>
    `Compared with ${file}${change === "" ? "." : `: ${change} tokens in total.`}`,
  lockNotComparable: "The lock was counted by another estimator, so its tokens are not compared.",
  lockAdvice: "To see which parameters and texts differ, run:",
  noCounters: "There are no budget counters yet.",
  noCountersAdvice: "Run your servers with a budget per minute, hour, day, week or month:",
  uncountedBudgets:
    "Budgets per call and per session have no counter here: each session counts them for itself.",
  loadingCounters: "The budget counters have not been read yet.",
  noTrend: "No tool was called in this period or the one before.",
  noTrendAdvice: "Run your servers through mcp-meter:",
  noCalls: "This session has no calls.",
  callsLeftOut: (calls: number) =>
    `The oldest ${pluralize(calls, "call")} of this session ${calls === 1 ? "is" : "are"} not in the table.`,
  chart: (bucket: "hour" | "day", label: string, tokens: string) =>
    `Tokens by ${bucket}, stacked by tool. Highest: ${label}, ${tokens}. The table below has every number.`,
  emptyChart: "Tokens over time: none in this period.",
  composition: (shares: readonly string[]) => `Composition of the context: ${shares.join(", ")}.`,
  timeline: (calls: number, tokens: string, time: string) =>
    `Timeline of ${pluralize(calls, "call")} over ${time}; the context grew to ${tokens} tokens. The table below has every call.`,
  otherTools: (tools: number) => `${formatCount(tools)} other tools`,
  timelineHint: "Taller bars mean more tokens; point at one to see its call.",
  highestColumn: "highest",
  withoutRefusedCalls: (calls: number) => `without ${pluralize(calls, "refused call")}`,
  histogram: (calls: number, classes: readonly string[]) =>
    `Calls by tokens per call: ${pluralize(calls, "call")} in total. ${classes.join(", ")}.`,
  histogramClass: (from: string, to: string, calls: number) =>
    `${from} to ${to} tokens: ${formatCount(calls)}`,
  window: (share: string, window: number) => `${share} of a ${formatCount(window)}-token window`,
  estimator: (method: string, encoding: string, error: string) =>
    `Counted by ${method}, ${encoding}: ${error}`,
  estimators: (counted: readonly CountedShare[]) =>
    `Counted by ${counted.map(({ estimation, share }) => `${estimation?.estimator ?? "an unknown estimator"} ${formatSmallShare(share)}`).join(", ")}; each session is counted by the estimator for its client's model`,
  rows: (first: number, last: number, count: number) =>
    `${formatCount(first)}–${formatCount(last)} of ${formatCount(count)}`,
  moreRows: (rows: number) => `${formatCount(rows)} more`,
  olderDays: (days: number) =>
    `This page covers ${pluralize(days, "day")}; to see older ones, start it again with --since, as in mcp-meter dash --since 90d`,
  sameNumbers: {
    overview: "The same numbers in a terminal:",
    trend: "The same numbers in a terminal:",
    advice: "The same advice in a terminal:",
    budgets: "The same numbers in a terminal:",
    definitions: "The same totals in a terminal:",
    tool: "The same numbers in a terminal, in the row of this tool:",
    session: "The same numbers in a terminal, in the row of this session:",
  },
  period: (first: string | null, last: string | null, zone: string) =>
    first === null || last === null
      ? `Time zone: ${zone}`
      : `Period: ${first === last ? first : `${first} to ${last}`}, ${zone}`,
  days: (first: string | null | undefined, last: string | null | undefined) =>
    `${formatDay(first ?? "")} to ${formatDay(last ?? "")}`,
  trend:
    "Compares the calls in this period with the calls in the period before it, which is equally long. Both periods end at the same time of day. Definitions are not counted. The change per call needs at least ten calls in each period.",
  savingsNote: (share: string) => `tokens, ${share} of all`,
  noAdvice: "Found nothing to change in this period.",
  noAdviceReason:
    "A server counts as unused after three sessions without a call. More records may lead to advice, so import the logs of your clients:",
} as const;
