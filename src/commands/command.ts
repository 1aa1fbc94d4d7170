import type { Ending, Io } from "#kit/io.ts";

export type OptionSpec = {
  readonly describe: string;
  readonly value?: string;
  /** Set if the value is optional: the next argument is the value only if it matches this. */
  readonly followingValue?: RegExp;
  readonly default?: string;
  readonly isRepeatable?: boolean;
  /** True if only the command line can set it, not a variable: it changes the command's task. */
  readonly isCommandLineOnly?: boolean;
  readonly variableAlias?: string;
  /** An earlier name: accepted until 0.2, shown nowhere. */
  readonly formerName?: string;
  readonly short?: string;
  readonly isSecret?: boolean;
  readonly isPath?: boolean;
  /** The allowed values; for a path, the values that are not paths. Shells complete them. */
  readonly choices?: readonly string[];
};

export type OptionSpecs = { readonly [name: string]: OptionSpec };

export type OptionGroup = {
  readonly heading: string;
  readonly options: OptionSpecs;
  /** Left out of a help that would not fit a screen. */
  readonly rare?: readonly string[];
};

export type RawOptions = {
  readonly [name: string]: string | boolean | readonly string[] | undefined;
};

export type UnknownVariable = { readonly name: string; readonly nearest: string | undefined };

export type Arguments = {
  readonly options: RawOptions;
  readonly operands: readonly string[];
  /** Everything after the first `--`, verbatim; undefined without a `--`. */
  readonly child: readonly string[] | undefined;
  readonly config?: AppliedConfig;
  readonly unknownVariables?: readonly UnknownVariable[];
};

type AppliedConfig = {
  readonly implicit: ReadonlySet<string>;
  readonly faults: readonly string[];
  /** Members of the command line that the policy locks. */
  readonly overridden?: readonly string[];
};

type CommandFacts = {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly operands?: "files" | "names" | readonly string[];
  readonly passesOptionsTo?: string;
  readonly groups: readonly OptionGroup[];
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  readonly exits: readonly (readonly [code: string, meaning: string])[];
  readonly usageExit: number;
  readonly readsConfig?: boolean;
  /** True if a client runs it again and again, and does not show its warnings. */
  readonly isQuiet?: boolean;
  /** Options of other commands that a config file may contain. */
  readonly ignoredInConfig?: OptionSpecs;
  /** Options before 0.2: still accepted, shown nowhere. */
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
  describe,
  default: defaultValue,
  isRepeatable,
}: OptionSpec): string {
  const notes = [
    ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
    ...(isRepeatable === true ? ["repeatable"] : []),
  ];
  return notes.length === 0 ? describe : `${describe} (${notes.join("; ")})`;
}
