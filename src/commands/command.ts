import type { Ending, Io } from "#kit/io.ts";

export type OptionSpec = {
  readonly description: string;
  // The placeholder of the value in help, such as FILE. A flag has none.
  readonly value?: string;
  // Set if the value is optional: the next argument is taken as the value only if it matches.
  readonly followingValue?: RegExp;
  readonly default?: string;
  readonly isRepeatable?: boolean;
  // Neither a variable nor a config file sets the option, usually because it changes what the command does.
  readonly isCommandLineOnly?: boolean;
  readonly variableAlias?: string;
  // The name in earlier builds. Accepted until 0.2, and not shown.
  readonly formerName?: string;
  readonly short?: string;
  readonly isSecret?: boolean;
  readonly isPath?: boolean;
  // If `isPath` is set, any path is allowed too.
  readonly choices?: readonly string[];
};

export type OptionSpecs = { readonly [name: string]: OptionSpec };

export function makeCommandFlag(description: string): OptionSpec {
  return { description, isCommandLineOnly: true };
}

export const generalOptions: OptionSpecs = {
  help: {
    value: "[all]",
    followingValue: /^all$/,
    choices: ["all"],
    description: 'show help; "all" shows every option',
    short: "h",
  },
  version: { description: "show the version", short: "V" },
};

export const helpOptions: OptionSpecs = {
  all: { description: "show every option" },
  ...generalOptions,
};

export type OptionGroup = {
  readonly heading: string;
  readonly options: OptionSpecs;
  // Left out of help that would otherwise not fit on a screen.
  readonly rare?: readonly string[];
};

export type RawOptions = {
  readonly [name: string]: string | boolean | readonly string[] | undefined;
};

export type UnknownVariable = { readonly name: string; readonly nearest: string | undefined };

export type Arguments = {
  readonly options: RawOptions;
  readonly operands: readonly string[];
  // Everything after the first `--`, verbatim; undefined without a `--`.
  readonly child: readonly string[] | undefined;
  readonly config?: AppliedConfig;
  readonly unknownVariables?: readonly UnknownVariable[];
};

type AppliedConfig = {
  // Options that are set only by a config file that the user did not name with --config.
  readonly implicit: ReadonlySet<string>;
  readonly faults: readonly string[];
  // Names of the options that the policy overrode, spelled as in config files.
  readonly overridden?: readonly string[];
};

type CommandFacts = {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  // Completion offers files for "files", nothing for "names", and otherwise the words in the array.
  readonly operands?: "files" | "names" | readonly string[];
  // The command whose options follow `--`.
  readonly passesOptionsTo?: string;
  readonly groups: readonly OptionGroup[];
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  readonly exits: readonly (readonly [code: string, meaning: string])[];
  // `exitCodes.usage` if left out.
  readonly usageErrorExitCode?: number;
  readonly readsConfig?: boolean;
  // Prints no warnings, because a client runs it repeatedly and shows none.
  readonly isQuiet?: boolean;
  // Options of other commands: allowed in a config file, and ignored.
  readonly ignoredInConfig?: OptionSpecs;
  // Options of earlier builds. Accepted until 0.2, and not shown.
  readonly hidden?: OptionSpecs;
};

type CommandDefinition<Options> = CommandFacts & {
  readonly parse: (args: Arguments) => Options;
  readonly load: () => Promise<(options: Options, io: Io) => Promise<Ending>>;
};

export type Command = CommandFacts & {
  readonly options: OptionSpecs;
  readonly check: (args: Arguments) => void;
  readonly run: (args: Arguments, io: Io) => Promise<Ending>;
};

export function defineCommand<Options>(definition: CommandDefinition<Options>): Command {
  const { parse, load, ...facts } = definition;
  return {
    ...facts,
    options: Object.assign({}, ...facts.groups.map(({ options }) => options)),
    check: (args) => void parse(args),
    async run(args, io) {
      const options = parse(args);
      const run = await load();
      return run(options, io);
    },
  };
}

export function describeOption({
  description,
  default: defaultValue,
  isRepeatable,
}: OptionSpec): string {
  const notes = [
    ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
    ...(isRepeatable === true ? ["repeatable"] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}
