import { shellWord } from "#text/shell-word.ts";
import type { ViewChoice } from "./view.ts";

/** The choice of a view, with the first day of its period. */
export type CommandChoice = {
  readonly choice: ViewChoice;
  readonly since: string;
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
  return value === undefined ? [] : [option, shellWord(value)];
}

/** The command that prints the numbers of a view. */
export function reportCommand({ choice, since, timezone }: CommandChoice): string {
  const { screen, server, client, tool } = choice;
  if (screen === "budgets") return "mcp-meter budgets";
  return [
    "mcp-meter",
    "report",
    ...(axes[screen] ?? []).flatMap((axis) => ["--by", axis]),
    ...namedOption("--since", since),
    ...namedOption("--server", server),
    ...namedOption("--tool", tool?.replace(/^\((.*)\)$/s, "$1")),
    ...namedOption("--client", client),
    ...namedOption("--timezone", timezone),
  ].join(" ");
}
