import { commands } from "#commands/index.ts";
import type { CommandSpec, OptionSpecs, RawOptions } from "#commands/command.ts";
import { flagOption } from "#commands/values.ts";
import { readWords } from "#commands/words.ts";
import { UserError, exitCodes } from "./errors.ts";
import type { Ending, Io } from "./io.ts";
import { Teller } from "#text/teller.ts";
import { version } from "./version.ts";

/** Options of every command. */
const ownOptions: OptionSpecs = {
  help: { describe: "show this help" },
  version: { describe: "show the version" },
};

/** Runs the command that the arguments ask for. A person's mistake becomes one sentence on stderr. */
export async function runCli(io: Io): Promise<Ending> {
  const { name, words, child } = splitArguments(io.argv);
  const spec = commands[name];
  if (!spec) return { code: exitCodes.usage };
  try {
    return await runCommand(name, spec, words, child, io);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    new Teller(io.stderr).tell(error.message);
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
  const { flags, operands } = readWords(words, { ...spec.options, ...ownOptions }, name);
  if (flagOption(flags, "version")) {
    io.stdout.write(`${version}\n`);
    return { code: exitCodes.ok };
  }
  if (flagOption(flags, "help")) {
    const { helpText } = await import("#commands/help.ts");
    io.stdout.write(`${await helpText(name, spec, ownOptions, io.stdout.columns)}\n`);
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
  const { findConfigFile } = await import("#storage/config-path.ts");
  const file = findConfigFile(known["config"], io.env);
  if (file === undefined) return {};
  const { readConfigFile } = await import("#storage/config-file.ts");
  return readConfigFile(file);
}
