import yargs from "yargs";
import { commands } from "#commands/index.ts";
import type { CommandSpec, OptionSpec, RawOptions } from "#commands/command.ts";
import { sentences, UserError, exitCodes } from "./errors.ts";
import type { Ending, Io } from "./io.ts";
import { escapeUnsafe } from "#wire/unsafe-text.ts";
import { version } from "./version.ts";

/** Runs the command that the arguments ask for. A person's mistake becomes one sentence on stderr. */
export async function runCli(io: Io): Promise<Ending> {
  const { name, words, child } = splitArguments(io.argv);
  const spec = commands[name];
  if (!spec) return { code: exitCodes.usage };
  try {
    return await runCommand(name, spec, words, child, io);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    io.stderr.write(`mcp-meter: ${escapeUnsafe(error.message)}\n`);
    return { code: error.exitCode ?? spec.usageExit };
  }
}

async function runCommand(
  name: string,
  spec: CommandSpec,
  words: readonly string[],
  child: readonly string[] | undefined,
  io: Io,
): Promise<Ending> {
  const { flags, operands, wants } = await parse(name, spec, words);
  if (wants.version) {
    io.stdout.write(`${version}\n`);
    return { code: exitCodes.ok };
  }
  if (wants.help) {
    io.stdout.write(`${await helpText(name, spec, io.stdout.columns)}\n`);
    return { code: exitCodes.ok };
  }
  const fromEnv = environmentOptions(spec, io.env);
  const fromFile = await configOptions(spec, { ...fromEnv, ...flags }, io);
  const options: RawOptions = { ...fromFile, ...fromEnv, ...flags };
  const command = await spec.load();
  return command({ options, operands, child }, io);
}

/** Cuts at the first `--`; the first word may name a command, else it is `run`. */
export function splitArguments(argv: readonly string[]): {
  readonly name: string;
  readonly words: readonly string[];
  readonly child: readonly string[] | undefined;
} {
  const cut = argv.indexOf("--");
  const head = cut < 0 ? argv : argv.slice(0, cut);
  const child = cut < 0 ? undefined : argv.slice(cut + 1);
  const [first] = head;
  const isNamed = first !== undefined && Object.hasOwn(commands, first);
  return { name: isNamed ? first : "run", words: isNamed ? head.slice(1) : head, child };
}

type Parsed = {
  readonly flags: RawOptions;
  readonly operands: readonly string[];
  readonly wants: { readonly help: boolean; readonly version: boolean };
};

async function parse(name: string, spec: CommandSpec, words: readonly string[]): Promise<Parsed> {
  const parsed = await parseWords(spec, words);
  const { _: rawOperands, $0: _program, h: _h, help, version: wantsVersion, ...rest } = parsed;
  const flags: { [name: string]: RawOptions[string] } = {};
  for (const [option, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(spec.options, option)) {
      const dashes = option.length === 1 ? "-" : "--";
      throw new UserError(sentences.optionUnknown(`${dashes}${option}`, name));
    }
    flags[option] = Array.isArray(value) ? value.map(String) : asRaw(value);
  }
  const operands = Array.isArray(rawOperands) ? rawOperands.map(String) : [];
  return { flags, operands, wants: { help: help === true, version: wantsVersion === true } };
}

/** The parser's only complaint is an option without its value; all else is judged here. */
async function parseWords(
  spec: CommandSpec,
  words: readonly string[],
): Promise<{ readonly [key: string]: unknown }> {
  try {
    return await parserOf(spec).parseAsync([...words]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UserError(sentences.optionMissing(/: (\S+)$/.exec(message)?.[1] ?? message));
  }
}

function asRaw(value: unknown): string | boolean {
  return typeof value === "boolean" ? value : String(value);
}

function parserOf(spec: CommandSpec) {
  return yargs([])
    .parserConfiguration({
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
      "duplicate-arguments-array": true,
      "greedy-arrays": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "short-option-groups": false,
    })
    .help(false)
    .version(false)
    .options(Object.fromEntries(Object.entries(spec.options).map(yargsOption)))
    .options({
      help: { alias: "h", type: "boolean", describe: "show this help" },
      version: { type: "boolean", describe: "show the version" },
    })
    .exitProcess(false)
    .fail(false);
}

function yargsOption([name, { value, describe, isRepeatable }]: [string, OptionSpec]) {
  const type = value === undefined ? ("boolean" as const) : ("string" as const);
  const shown = value === undefined ? describe : `${value}: ${describe}`;
  const taking = value === undefined ? {} : { nargs: 1 };
  const repeating = isRepeatable === true ? { array: true } : {};
  return [name, { type, describe: shown, ...taking, ...repeating }] as const;
}

async function helpText(name: string, spec: CommandSpec, columns = 100): Promise<string> {
  const parser = parserOf(spec)
    .scriptName("mcp-meter")
    .usage(`${spec.usage}\n\n${spec.summary}`)
    .wrap(Math.min(columns, 120));
  for (const [line, does] of spec.examples) parser.example(line, does);
  const others = Object.entries(commands).map(([other, { summary }]) => `  ${other}  ${summary}`);
  if (name === "run")
    parser.epilogue(
      `Commands:\n${others.join("\n")}\n\nEvery option is also an environment variable, as in MCP_METER_LOG.`,
    );
  return parser.getHelp();
}

/** `--log-fsync` is also `MCP_METER_LOG_FSYNC`. */
function environmentOptions(spec: CommandSpec, env: Io["env"]): RawOptions {
  const set: { [name: string]: string } = {};
  for (const name of Object.keys(spec.options)) {
    const value = env[`MCP_METER_${name.toUpperCase().replaceAll("-", "_")}`];
    if (value !== undefined && value !== "") set[name] = value;
  }
  return set;
}

/** Options from the config file, for commands that have one; its reader is loaded only when it is there. */
async function configOptions(spec: CommandSpec, known: RawOptions, io: Io): Promise<RawOptions> {
  if (!Object.hasOwn(spec.options, "config")) return {};
  const { findConfigFile } = await import("#shell/config-path.ts");
  const file = findConfigFile(known["config"], io.env);
  if (file === undefined) return {};
  const { readConfigFile } = await import("#shell/config-file.ts");
  return readConfigFile(file);
}
