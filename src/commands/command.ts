import type { Ending, Io } from "#io.ts";

/** One option as a user writes it. */
export type OptionSpec = {
  /** One line of help without a period. */
  readonly describe: string;
  /** Placeholder of the value in help; a flag has none. */
  readonly value?: string;
  /** Present when the value may be left out: the form by which a word that follows is the value. */
  readonly followingValue?: RegExp;
  /** In words, for help: the value without the option. */
  readonly default?: string;
  /** True when it may be given several times. */
  readonly isRepeatable?: boolean;
  /** True for an option that decides about the command's work: no variable sets it. */
  readonly isFlagOnly?: boolean;
  /** Another name for its variable alone, for clients that remove variables by a word in their name. */
  readonly variableAlias?: string;
  /** One letter that stands for the name, as `h` in `-h`. */
  readonly short?: string;
  /** True when the value may hold a secret: no command prints it. */
  readonly isSecret?: boolean;
  /** True when the value is a path: `~` at its beginning is the user's home. */
  readonly isPath?: boolean;
  /** The values that there are; of a path, the words that stand for none. Shells complete them. */
  readonly choices?: readonly string[];
  /** The names that are its values: shells complete those of the last records. */
  readonly names?: NameKind;
};

/** A kind of names in records. */
export type NameKind = "server" | "tool";

/** Options by name. */
export type OptionSpecs = { readonly [name: string]: OptionSpec };

/** Options under one heading of help. */
export type OptionGroup = { readonly heading: string; readonly options: OptionSpecs };

/** Values as written, by option: a flag is `true`, a repeated option a list. */
export type RawOptions = {
  readonly [name: string]: string | boolean | readonly string[] | undefined;
};

/** A variable with our prefix that sets no option, and the nearest one that does. */
export type UnknownVariable = { readonly name: string; readonly nearest: string | undefined };

/** A command line behind the command's name. */
export type Arguments = {
  /** From flags, environment and config file. */
  readonly options: RawOptions;
  readonly operands: readonly string[];
  /** Everything after the first `--`, verbatim; undefined without a `--`. */
  readonly child: readonly string[] | undefined;
  /** The part of config files in the options; absent without a file. */
  readonly config?: AppliedConfig;
  /** Variables with our prefix that no command knows. */
  readonly unknownVariables?: readonly UnknownVariable[];
};

/** How the options depend on config files that the command line does not name. */
type AppliedConfig = {
  /** Options whose values are from such files. */
  readonly implicit: ReadonlySet<string>;
  /** The places of their mistakes, for records: never a value. */
  readonly faults: readonly string[];
};

/** The help of a command, and the exit code for a mistake in its arguments. */
type CommandFacts = {
  readonly name: string;
  /** One line without a period. */
  readonly summary: string;
  readonly usage: string;
  /** Its words besides options, for shells: files, some of these, or names that no shell knows; absent when it takes none. */
  readonly operands?: "files" | "names" | readonly string[];
  /** The command whose options follow its `--`; absent where the command of a server does. */
  readonly optionsBehind?: string;
  readonly groups: readonly OptionGroup[];
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  readonly exits: readonly (readonly [code: string, meaning: string])[];
  readonly usageExit: number;
  /** True when config files set its options. */
  readonly isConfigured?: boolean;
  /** Options that it does not have, and that config files and policies may name all the same. */
  readonly ignored?: OptionSpecs;
};

/** A command as its folder defines it. */
export type CommandDefinition<Options> = CommandFacts & {
  /** Parses all arguments. Throws UserError that names the first mistake. */
  readonly parse: (args: Arguments) => Options;
  /** Loads the command's modules; not called for help or for a mistake. */
  readonly load: () => Promise<(options: Options, io: Io) => Promise<Ending>>;
};

/** A command as the front door uses it. */
export type Command = CommandFacts & {
  /** The options of all groups. */
  readonly options: OptionSpecs;
  /** Parses and does nothing else. Throws UserError for the first mistake. */
  readonly check: (args: Arguments) => void;
  /** Parses and runs. Throws UserError for every mistake of the user. */
  readonly run: (args: Arguments, io: Io) => Promise<Ending>;
};

/** The command of a definition. */
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
