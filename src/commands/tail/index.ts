import type { TailOptions } from "./command.ts";
import { UserError } from "#kit/errors.ts";
import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { rejectArguments, parseCount, readList } from "../option-values.ts";
import { commandSentences } from "../sentences.ts";

const tailLinesMax = 10_000;

const tailFormats = ["table", "json"] as const;

const linesDefault = 10;

const tailOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      server: {
        value: "NAME",
        description: "print only calls of this server; wildcards allowed",
        isRepeatable: true,
        // MCP_METER_SERVER names the server of a session, so it must not choose calls here.
        isCommandLineOnly: true,
      },
      tool: {
        value: "NAME",
        description: "print only calls of this tool or method; wildcards allowed",
        isRepeatable: true,
        isCommandLineOnly: true,
      },
      lines: {
        value: "N",
        description: "start with the last N calls",
        default: String(linesDefault),
        short: "n",
      },
      ...makeOutputSpecs(tailFormats),
    },
  },
];

export function parseTailOptions({ options, operands, child = [] }: Arguments): TailOptions {
  rejectArguments([...operands, ...child]);
  const lines = parseCount(options, "lines", 0) ?? linesDefault;
  if (lines > tailLinesMax) {
    const wanted = `a whole number of at most ${tailLinesMax}`;
    throw new UserError(commandSentences.optionValue("lines", String(lines), wanted));
  }
  return {
    servers: readList(options, "server"),
    tools: readList(options, "tool"),
    lines,
    ...parseOutput(options, tailFormats),
  };
}

export const tailCommand = defineCommand({
  name: "tail",
  summary: "Print each call as it ends, from all sessions on this machine",
  usage: "mcp-meter tail [options]",
  groups: tailOptionGroups,
  examples: [
    ["mcp-meter tail", "print the last 10 calls, then each call as it ends"],
    ["mcp-meter tail --server github --tool 'search_*'", "follow some tools of one server"],
    ["mcp-meter tail -n 0 --json | jq -r .tool", "process new calls with another program"],
  ],
  exits: [
    ["0", "the reader closed the output, as in mcp-meter tail | head"],
    ["2", "invalid options, or no way to determine the records folder"],
    ["130", "interrupted, the normal end of this command"],
  ],
  parse: parseTailOptions,
  load: async () => (await import("./command.ts")).tail,
});
