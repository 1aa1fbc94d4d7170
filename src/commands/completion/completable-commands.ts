import {
  type Command,
  describeOption,
  generalOptions,
  helpOptions,
  type OptionSpec,
} from "../command.ts";

export type CompletableValue = {
  readonly placeholder: string;
  // True if the option may stand without its value: the next word may then be another option.
  readonly isOptional: boolean;
  readonly words: readonly string[];
  readonly paths: "files" | "folders" | undefined;
};

export type CompletableOption = {
  readonly name: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly isRepeatable: boolean;
  readonly value: CompletableValue | undefined;
};

export type CompletableCommand = {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletableOption[];
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  // The command that takes the options after `--`; undefined if a server's command follows it.
  readonly passesOptionsTo: string | undefined;
};

export function describeCommands(commands: readonly Command[]): readonly CompletableCommand[] {
  const described = commands.map(({ name, summary, options, operands = [], passesOptionsTo }) => ({
    name,
    summary,
    options: describeOptions({ ...options, ...generalOptions }),
    words: typeof operands === "string" ? [] : operands,
    takesFiles: operands === "files",
    passesOptionsTo,
  }));
  const help = {
    name: "help",
    summary: "Show help for a command",
    options: describeOptions(helpOptions),
    words: described.map(({ name }) => name),
    takesFiles: false,
    passesOptionsTo: undefined,
  };
  return [...described, help];
}

function describeOptions(specs: Command["options"]): readonly CompletableOption[] {
  return Object.entries(specs).map(([name, spec]) => ({
    name,
    short: spec.short,
    description: describeOption(spec),
    isRepeatable: spec.isRepeatable === true,
    value: describeValue(spec),
  }));
}

function describeValue({ value, followingValue, choices = [], isPath }: OptionSpec) {
  if (value === undefined) return undefined;
  const paths = value === "DIR" ? "folders" : "files";
  return {
    placeholder: value,
    isOptional: followingValue !== undefined,
    words: choices,
    paths: isPath === true ? paths : undefined,
  } as const;
}

export type SharedOption = {
  readonly option: CompletableOption;
  readonly commands: readonly string[];
};

export function groupOptions(commands: readonly CompletableCommand[]): readonly SharedOption[] {
  const shared = new Map<string, { option: CompletableOption; commands: string[] }>();
  for (const { name, options } of commands) {
    for (const option of options) {
      const key = JSON.stringify(option);
      const known = shared.get(key);
      if (known) known.commands.push(name);
      else shared.set(key, { option, commands: [name] });
    }
  }
  return [...shared.values()];
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
