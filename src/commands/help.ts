import { helpColumnsMax } from "#limits.ts";
import yargs from "yargs";
import type { CommandSpec, OptionSpec, OptionSpecs } from "./command.ts";
import { commands } from "./index.ts";

const columnsDefault = 100;
/** What `--help` prints for a command: usage, options, examples; for `run` also the other commands. */
export async function helpText(
  name: string,
  spec: CommandSpec,
  ownOptions: OptionSpecs,
  columns: number = columnsDefault,
): Promise<string> {
  const options = { ...spec.options, ...ownOptions };
  const parser = yargs([])
    .help(false)
    .version(false)
    .options(Object.fromEntries(Object.entries(options).map(yargsOption)))
    .alias("help", "h")
    .scriptName("mcp-meter")
    .usage(`${spec.usage}\n\n${spec.summary}`)
    .wrap(Math.min(columns, helpColumnsMax));
  for (const [line, does] of spec.examples) parser.example(line, does);
  const others = Object.entries(commands).map(([other, { summary }]) => `  ${other}  ${summary}`);
  if (name === "run")
    parser.epilogue(
      `Commands:\n${others.join("\n")}\n\nEvery option is also an environment variable, as in MCP_METER_LOG.`,
    );
  return parser.getHelp();
}

function yargsOption([name, { value, describe, isRepeatable }]: [string, OptionSpec]) {
  const type = value === undefined ? ("boolean" as const) : ("string" as const);
  const shown = value === undefined ? describe : `${value}: ${describe}`;
  const repeating = isRepeatable === true ? { array: true } : {};
  return [name, { type, describe: shown, ...repeating }] as const;
}
