import { defineCommand, type Arguments, type OptionGroup, makeCommandFlag } from "../command.ts";
import { parsePriceOptions } from "../price-options.ts";
import { timezoneOption } from "../report/options.ts";
import { makeRangeSpecs, parseRangeBound } from "../since-until-options.ts";
import { rejectArguments, parsePort, readFlag, readList, readText } from "../option-values.ts";
import type { LockOption } from "./page-data.ts";
import type { DashOptions } from "./command.ts";

const sinceDefault = "30d";

export const dashOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Page",
    options: {
      port: { value: "N", description: "port on this machine", default: "any free port" },
      open: makeCommandFlag("open the page in the browser"),
    },
  },
  {
    heading: "Records",
    options: {
      since: makeRangeSpecs(sinceDefault).since,
      timezone: timezoneOption,
      prices: {
        value: "FILE",
        description:
          "JSON file with prices of models and paid tools; overrides the built-in prices",
        isPath: true,
      },
      lock: {
        value: "[SERVER=]FILE",
        description: "compare definitions with a lock; SERVER is the server's name in records",
        isRepeatable: true,
        isCommandLineOnly: true,
        isPath: true,
      },
    },
  },
];

export function parseDashOptions({ options, operands, child = [] }: Arguments): DashOptions {
  rejectArguments([...operands, ...child]);
  const namedSince = parseRangeBound(options, "since");
  return {
    port: parsePort(options),
    opensBrowser: readFlag(options, "open"),
    since: namedSince ?? sinceDefault,
    isSinceExplicit: namedSince !== undefined,
    timezone: readText(options, "timezone"),
    locks: readList(options, "lock").map(parseNamedLock),
    ...parsePriceOptions(options),
  };
}

// The text before the first `=` is a server's name, which may contain slashes. Two forms are paths without a server:
// text that begins with `/`, `./` or `../`, and text with a backslash before the `=`, as in `C:\locks\a=b`.
function parseNamedLock(raw: string): LockOption {
  const [, server, file = raw] = /^(?!\.{0,2}\/)([^=\\]+)=(.+)$/s.exec(raw) ?? [];
  return { server, file };
}

export const dashCommand = defineCommand({
  name: "dash",
  summary: "Show this machine's records live on a local page",
  usage: "mcp-meter dash [options]",
  groups: dashOptionGroups,
  examples: [
    ["mcp-meter dash --open", "open the page in the browser"],
    ["mcp-meter dash --port 8080 --since 7d", "serve the last week on a port of your choice"],
  ],
  exits: [
    ["2", "invalid options, a port that is in use, or no way to determine the records folder"],
    ["130", "interrupted, the normal end of this command"],
  ],
  // Accepted for compatibility: opens the page with its cost switch on.
  hidden: { cost: { description: "" } },
  parse: parseDashOptions,
  load: async () => (await import("./command.ts")).serveDash,
});
