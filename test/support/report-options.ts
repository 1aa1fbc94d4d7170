import type { ReportOptions, UsageOptions } from "#commands/report/options.ts";

export const summaryOptions: Omit<ReportOptions, "format" | "files"> = {
  timezone: undefined,
  machine: undefined,
  output: undefined,
  isWide: false,
  usage: undefined,
  analysis: undefined,
  isCosted: false,
  priceFile: undefined,
};

export const plainUsage: UsageOptions = {
  by: [],
  range: { since: undefined, until: undefined },
  order: undefined,
  top: undefined,
  hasTrend: false,
  showsResent: false,
  model: undefined,
  filters: { servers: [], tools: [], clients: [], estimators: [] },
};
