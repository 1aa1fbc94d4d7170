import { shellWord } from "#text/shell-word.ts";
import type { ViewChoice } from "./view.ts";

/** The choice of a view, with the days of its period. */
export type CommandChoice = {
  readonly choice: ViewChoice;
  readonly since: string;
  /** The last day; without one, the period ends now. */
  readonly until?: string | undefined;
  readonly timezone: string;
};

const axes: { readonly [screen: string]: readonly string[] } = {
  overview: ["tool"],
  tool: ["tool"],
  session: ["session"],
  definitions: ["server"],
};

/** An option with its value, as words of a shell; none for an undefined value. */
export function namedOption(option: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  // A value that begins with a hyphen would be read as another option.
  return value.startsWith("-") ? [`${option}=${shellWord(value)}`] : [option, shellWord(value)];
}

/** The command that prints the numbers of a view. */
export function reportCommand({ choice, since, until, timezone }: CommandChoice): string {
  const { screen, server, client, tool } = choice;
  if (screen === "budgets") return "mcp-meter budgets";
  return [
    "mcp-meter",
    "report",
    ...(axes[screen] ?? []).flatMap((axis) => ["--by", axis]),
    ...namedOption("--since", since),
    ...namedOption("--until", until),
    ...namedOption("--server", server),
    ...namedOption("--tool", tool),
    ...namedOption("--client", client),
    ...namedOption("--timezone", timezone),
  ].join(" ");
}
