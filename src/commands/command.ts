import type { Ending, Io } from "#io.ts";

/** One option as a person writes it. */
export type OptionSpec = {
  readonly describe: string;
  /** Stands for the value in help; a flag has none. */
  readonly value?: string;
  /** True when it may be given several times. */
  readonly isRepeatable?: boolean;
};

export type OptionSpecs = { readonly [name: string]: OptionSpec };

/** Options as written, by name: from flags, environment or the config file, in that order. */
export type RawOptions = {
  readonly [name: string]: string | boolean | readonly string[] | undefined;
};

/** A parsed command line. */
export type Arguments = {
  readonly options: RawOptions;
  readonly operands: readonly string[];
  /** Everything after the first `--`, verbatim; undefined when there is no `--`. */
  readonly child: readonly string[] | undefined;
};

export type Command = (args: Arguments, io: Io) => Promise<Ending>;

/** What the front door knows about a command before its modules are loaded. */
export type CommandSpec = {
  readonly summary: string;
  readonly usage: string;
  readonly options: OptionSpecs;
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Exit code of a person's mistake. */
  readonly usageExit: number;
  readonly load: () => Promise<Command>;
};
