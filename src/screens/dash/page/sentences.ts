import { formatCount, pluralize } from "#kit/text/numbers.ts";

export const pageSentences = {
  connection: {
    connecting: "connecting",
    live: "live",
    reconnecting: "reconnecting",
    lost: "not connected",
  },
  lost: "The server of this page has ended or was restarted. Open the address that this command prints:",
  reconnecting: "The connection is lost. The numbers below are the last ones; trying again.",
  loading: "Reading the records…",
  copied: "Copied.",
  copyFailed: "The browser does not permit copying.",
  noRecords: "No calls are recorded in this period.",
  noRecordsAdvice: "Put mcp-meter in front of a server, or read the logs that your clients keep:",
  noMatch: "No row matches the filter.",
  noSession: "No record of this session is left.",
  noSessionAdvice: "List the sessions that are recorded:",
  noTool: "This tool was not called in this period.",
  noToolAdvice: "List the tools that were:",
  noDefinitions: "No server listed its tools in this period.",
  noDefinitionsAdvice: "Count the definitions of a server without recording a session:",
  asLocked: (file: string) => `All tools are as in the lock ${file}.`,
  lock: (file: string, change: string) =>
    `Compared with ${file}${change === "" ? "." : `: ${change} tokens in all.`}`,
  lockAdvice: "Parameters and words that differ are printed by:",
  noCounters: "No shared budget counter exists.",
  noCountersAdvice: "Run a server with a budget per hour, day, week or month:",
  noTrend: "No tool was called in this period or the one before.",
  noTrendAdvice: "Put mcp-meter in front of a server:",
  noCalls: "This session has no calls.",
  callsLeftOut: (calls: number) =>
    `The oldest ${pluralize(calls, "call")} of this session ${calls === 1 ? "is" : "are"} not in the table.`,
  chart: (bucket: "hour" | "day", label: string, tokens: string) =>
    `Tokens by ${bucket}, stacked by tool. Most at ${label}: ${tokens}. The table below has every number.`,
  emptyChart: "Tokens over time: none in this period.",
  composition: (shares: readonly string[]) => `Parts of the context: ${shares.join(", ")}.`,
  timeline: (calls: number, tokens: string, time: string) =>
    `Timeline of ${pluralize(calls, "call")} over ${time}; the context grew to ${tokens} tokens. The table below has every call.`,
  otherTools: (tools: number) => `${formatCount(tools)} others`,
  timelineHint: "Point at the timeline to read a call.",
  chartHint: "Point at a column to read it.",
  treemap: (tools: number, tokens: string) =>
    `Definitions of ${pluralize(tools, "tool")}, ${tokens} tokens in all; the area of a tool is its tokens. The table below has every number.`,
  histogram: (calls: number, classes: readonly string[]) =>
    `Calls by the tokens of a call: ${pluralize(calls, "call")} in all. ${classes.join(", ")}.`,
  histogramClass: (from: string, to: string, calls: number) =>
    `${from} to ${to} tokens: ${formatCount(calls)}`,
  scatter: (calls: number) =>
    `Tokens by duration of the newest ${pluralize(calls, "call")}; both axes are logarithmic.`,
  window: (share: string, window: number) => `${share} of a ${formatCount(window)}-token window`,
  estimator: (method: string, encoding: string, error: string) =>
    `Counted by ${method}, ${encoding}. ${error}`,
  prices: (origin: string) => `Costs are at list prices: ${origin}`,
  rows: (first: number, last: number, count: number) =>
    `${formatCount(first)}–${formatCount(last)} of ${formatCount(count)}`,
  moreRows: (rows: number) => `${formatCount(rows)} more`,
  period: (first: string | null, last: string | null, zone: string) =>
    first === null || last === null ? `Days of ${zone}` : `${first} to ${last}, days of ${zone}`,
  before: (first: string | null, last: string | null) =>
    first === null || last === null
      ? "Compared with the period before."
      : `Compared with ${first} to ${last}. A change is shown from ten calls on either side on.`,
} as const;
