import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { metricsOptionGroups, parseMetricsOptions } from "./options.ts";

export const metricsCommand = defineCommand({
  name: "metrics",
  summary: "Print sums of all records as Prometheus text",
  usage: "mcp-meter metrics [options] [FILE|FOLDER|-]…",
  operands: "files",
  groups: metricsOptionGroups,
  examples: [
    ["mcp-meter metrics", "print the metrics of all sessions of this machine"],
    [
      "mcp-meter metrics -o /var/lib/prometheus/node-exporter/mcp-meter.prom",
      "replace a file of the textfile collector",
    ],
  ],
  exits: [
    ["0", "the metrics were printed"],
    ["2", "wrong options, or a file that cannot be read or written"],
  ],
  usageExit: exitCodes.usage,
  parse: parseMetricsOptions,
  load: async () => (await import("./command.ts")).metrics,
});
