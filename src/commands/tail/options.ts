import { UserError } from "#kit/errors.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { type Output, makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { rejectArguments, parseCount, readList } from "../values.ts";
import { commandSentences } from "../sentences.ts";

const tailLinesMax = 10_000;

const tailFormats = ["table", "json"] as const;

const linesDefault = 10;

export const tailOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      server: {
        value: "NAME",
        describe: "print only calls of this server; wildcards allowed",
        isRepeatable: true,
        // Not from the environment: MCP_METER_SERVER names the server of a session.
        isCommandLineOnly: true,
      },
      tool: {
        value: "NAME",
        describe: "print only calls of this tool or method; wildcards allowed",
        isRepeatable: true,
        isCommandLineOnly: true,
      },
      lines: {
        value: "N",
        describe: "print the last N calls first",
        default: String(linesDefault),
        short: "n",
      },
      ...makeOutputSpecs(tailFormats),
    },
  },
];

export type TailOptions = Output<(typeof tailFormats)[number]> & {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  readonly lines: number;
};

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
