import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { parseOutputTarget, printOptionSpecs } from "../output/output-options.ts";
import { timezoneOption } from "../report/options.ts";
import { makeRangeSpecs, parseRangeBound } from "../since-until-options.ts";
import { rejectArguments, readText } from "../option-values.ts";
import type { MetricsOptions } from "./command.ts";

const metricsOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      since: makeRangeSpecs("all records").since,
      timezone: timezoneOption,
      output: {
        ...printOptionSpecs.output,
        description: "replace this file atomically, for the textfile collector of node_exporter",
      },
    },
  },
];

export function parseMetricsOptions({ options, operands, child = [] }: Arguments): MetricsOptions {
  rejectArguments(child);
  return {
    files: operands,
    since: parseRangeBound(options, "since"),
    timezone: readText(options, "timezone"),
    output: parseOutputTarget(options).output,
  };
}

export const metricsCommand = defineCommand({
  name: "metrics",
  summary: "Print totals of all metered sessions as Prometheus text",
  usage: "mcp-meter metrics [options] [FILE|FOLDER|-]…",
  operands: "files",
  groups: metricsOptionGroups,
  examples: [
    ["mcp-meter metrics", "print the metrics of all sessions of this machine"],
    ["mcp-meter metrics -o /var/lib/prometheus/node-exporter/mcp-meter.prom", "for node_exporter"],
  ],
  exits: [
    ["0", "the metrics were printed"],
    ["2", "invalid options, or a file that cannot be read or written"],
  ],
  parse: parseMetricsOptions,
  load: async () => (await import("./command.ts")).printMetrics,
});
