import { wrapAnsi } from "bun";
import { collectArguments } from "#commands/collect-arguments.ts";
import { type Arguments, type Command, generalOptions, helpOptions } from "#commands/command.ts";
import { findConfigThatLocksDisable, isDisabled } from "#commands/disable-switch.ts";
import { commandNames, findGuessedCommand } from "#commands/command-names.ts";
import { parseChoice, readFlag } from "#commands/option-values.ts";
import { printsJson, readWords } from "#commands/parse-command-line.ts";
import { exitCodes, makeFailure, UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { isHttpUrl } from "#kit/text/http-url.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { Teller } from "#kit/text/teller.ts";
import { version } from "#kit/version.ts";
import { commonSentences } from "#kit/sentences.ts";
import { runSentences } from "#commands/run/sentences.ts";
import { commandSentences } from "#commands/sentences.ts";

export async function runCli(io: Io): Promise<Ending> {
  const commandLine = splitArguments(io.argv);
  let hasPrinted = false;
  const stdout: Io["stdout"] = {
    write: (text) => {
      hasPrinted = true;
      io.stdout.write(text);
    },
    get isTerminal() {
      return io.stdout.isTerminal;
    },
    get isAbandoned() {
      return io.stdout.isAbandoned === true;
    },
    measureColumns: () => io.stdout.measureColumns(),
  };
  // On stdout, `run` and `mcp` speak the protocol, and `serve` prints its URL.
  const reservesStdout = ["run", "serve", "mcp"].includes(commandLine.name);
  const wantsJson = !reservesStdout && printsJson(commandLine.words);
  try {
    return await runCommandLine(commandLine, wantsJson ? { ...io, stdout } : io);
  } catch (error) {
    const ending = await reportFailure(error, io);
    if (wantsJson && !hasPrinted && error instanceof UserError && "code" in ending) {
      const { renderJson } = await import("#screens/renderers/document.ts");
      io.stdout.write(renderJson(makeFailure(error, ending.code)));
    }
    return ending;
  }
}

export async function reportFailure(
  error: unknown,
  io: Pick<Io, "argv" | "stderr">,
): Promise<Ending> {
  const command = await findCommand(splitArguments(io.argv).name);
  const defaultCode = command?.usageErrorExitCode ?? exitCodes.usage;
  const { tell } = new Teller((await fitSentences(io)).stderr);
  if (error instanceof UserError) {
    tell(error.message);
    return { code: error.exitCode ?? defaultCode };
  }
  // Other errors are described without their message, which may quote traffic.
  tell(commonSentences.internalFailure(describeError(error)));
  return { code: defaultCode };
}

// Breaks our sentences between words in a narrow terminal. Lines of the server stay whole.
async function fitSentences<SomeIo extends Pick<Io, "stderr">>(io: SomeIo): Promise<SomeIo> {
  const { stderr } = io;
  const columns = stderr.isTerminal ? await stderr.measureColumns() : undefined;
  if (columns === undefined) return io;
  const fittedStderr: Io["stderr"] = {
    write: (text, done) =>
      stderr.write(text.startsWith("mcp-meter: ") ? wrapSentence(text, columns) : text, done),
    flush: () => stderr.flush(),
    isTerminal: true,
    measureColumns: () => stderr.measureColumns(),
  };
  return { ...io, stderr: fittedStderr };
}

// A command in quotes stays on one line, so that it can be copied.
function wrapSentence(text: string, columns: number): string {
  const noBreak = "\u00a0";
  const joined = text.replaceAll(/"mcp-meter [^"]*"/g, (command) =>
    command.replaceAll(" ", noBreak),
  );
  return wrapAnsi(joined, columns).replaceAll(noBreak, " ");
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

type CommandLine = {
  readonly name: string;
  readonly isCommandNamed: boolean;
  readonly words: readonly string[];
  readonly child: readonly string[] | undefined;
};

export function splitArguments(argv: readonly string[]): CommandLine {
  const separator = argv.indexOf("--");
  const head = separator < 0 ? argv : argv.slice(0, separator);
  const child = separator < 0 ? undefined : argv.slice(separator + 1);
  const [first] = head;
  const isCommandNamed = first !== undefined && ["help", ...commandNames].includes(first);
  return isCommandNamed
    ? { name: first, isCommandNamed, words: head.slice(1), child }
    : { name: "run", isCommandNamed, words: head, child };
}

async function runCommandLine(commandLine: CommandLine, io: Io): Promise<Ending> {
  const { name, words, child } = commandLine;
  if (name === "run" && child !== undefined && child.length > 0 && isDisabled(io.env)) {
    const { runUnmetered } = await import("./commands/run/run-unmetered.ts");
    const policyFile = await findConfigThatLocksDisable(io.platform);
    if (policyFile === undefined) return runUnmetered(child, io);
    new Teller(io.stderr).tell(commandSentences.disableLocked(policyFile));
  }
  if (name === "help") return runHelp(words, child, io);
  if (shouldGreet(io)) {
    const { wrapTexts } = await import("#commands/wrap/sentences.ts");
    io.stdout.write(wrapTexts.firstSteps());
    // The code is not `ok`, because no server ran.
    return { code: exitCodes.runFailed };
  }
  return parseAndRun(commandLine, io);
}

// True if a person tries the program in a terminal. A client would connect pipes.
function shouldGreet({ argv, stdout, stderr }: Io): boolean {
  return argv.length === 0 && stdout.isTerminal && stderr.isTerminal;
}

async function parseAndRun(
  { name, isCommandNamed, words, child }: CommandLine,
  io: Io,
): Promise<Ending> {
  const command = await requireCommand(name);
  const [first] = words;
  if (!isCommandNamed && first !== undefined && !first.startsWith("-"))
    throw makeUnknownCommandError(first);
  const specs = { ...command.options, ...command.hidden, ...generalOptions };
  const { flags, operands } = readWords(words, specs, name);
  if (readFlag(flags, "version")) return print(`${version}\n`, io);
  if (flags["help"] !== undefined) {
    const showsAll = parseChoice(flags, "help", ["all"]) === "all";
    return showHelp(isCommandNamed || showsAll ? name : undefined, showsAll, io);
  }
  const fittedIo = await fitSentences(io);
  const args = await collectArguments(command, { flags, operands, child }, fittedIo);
  if ((args.options["output"] ?? args.options["summary-file"]) !== undefined) {
    // Without an output file, `run` does not load the search for record files.
    const { rejectOverwrittenInputs } = await import("#commands/reject-overwrites.ts");
    await rejectOverwrittenInputs(command, args, io);
  }
  await warnAboutUnknownNames(command, args, fittedIo);
  return command.run(args, fittedIo);
}

async function runHelp(
  words: readonly string[],
  child: readonly string[] = [],
  io: Io,
): Promise<Ending> {
  const { flags, operands } = readWords(words, helpOptions, "help");
  const [command, unexpected] = [...operands, ...child];
  if (unexpected !== undefined)
    throw new UserError(commandSentences.argumentUnexpected(unexpected));
  if (readFlag(flags, "version")) return print(`${version}\n`, io);
  return showHelp(command === "help" ? undefined : command, readFlag(flags, "all"), io);
}

async function warnAboutUnknownNames(
  command: Command,
  { options }: Arguments,
  io: Io,
): Promise<void> {
  // A command that has no option --tokenizer counts nothing: its --model only chooses prices.
  if (command.options["tokenizer"] === undefined) return;
  if (options["model"] === undefined && options["as-client"] === undefined) return;
  // Loads the tables of models and clients, which most command lines do not need.
  const { describeUnknownModelOrClient } = await import("#commands/unknown-model-or-client.ts");
  const { tell } = new Teller(io.stderr);
  for (const sentence of describeUnknownModelOrClient(options)) tell(sentence);
}

async function requireCommand(name: string): Promise<Command> {
  const command = await findCommand(name);
  if (!command) throw makeUnknownCommandError(name, runSentences.helpUnknown(name));
  return command;
}

function makeUnknownCommandError(
  word: string,
  sentence: string = runSentences.serverWithoutDashes(word),
): UserError {
  // A URL is not quoted, because it may contain a secret.
  if (isHttpUrl(word)) return new UserError(runSentences.urlAsCommand());
  const nearest = findGuessedCommand(word) ?? findNearestName(word, [...commandNames, "help"]);
  return new UserError(
    nearest === undefined ? sentence : runSentences.commandUnknown(word, nearest),
  );
}

async function showHelp(name: string | undefined, showsAll: boolean, io: Io): Promise<Ending> {
  const command = name === undefined ? undefined : await requireCommand(name);
  const { renderCommandHelp, renderProgramHelp } = await import("#commands/help.ts");
  const { commands } = await import("#commands/index.ts");
  const { mayColor } = await import("#kit/os/standard-streams.ts");
  const page = { columns: await io.stdout.measureColumns(), color: mayColor(io.stdout, io.env) };
  const text = command
    ? await renderCommandHelp(command, page, showsAll)
    : await renderProgramHelp(Object.values(commands), await requireCommand("run"), page);
  return print(text, io);
}

function print(text: string, io: Io): Ending {
  io.stdout.write(text);
  return { code: exitCodes.ok };
}

// A client waits for `run` and `statusline`, so they are loaded without the other commands.
async function findCommand(name: string): Promise<Command | undefined> {
  if (name === "run") return (await import("#commands/run/index.ts")).runCommand;
  if (name === "statusline")
    return (await import("#commands/statusline/index.ts")).statuslineCommand;
  const { commands } = await import("#commands/index.ts");
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
