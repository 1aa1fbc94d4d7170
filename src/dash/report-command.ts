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

/** The command that prints the numbers of a view. */
export function reportCommand({ choice, since, timezone }: CommandChoice): string {
  const { screen, server, client, tool } = choice;
  if (screen === "budgets") return "mcp-meter budgets";
  const named = (option: string, name: string | undefined): string[] =>
    name === undefined ? [] : [option, shellWord(name)];
  return [
    "mcp-meter",
    "report",
    ...(axes[screen] ?? []).flatMap((axis) => ["--by", axis]),
    ...named("--since", since),
    ...named("--server", server),
    ...named("--tool", tool?.replace(/^\((.*)\)$/s, "$1")),
    ...named("--client", client),
    ...named("--timezone", timezone),
  ].join(" ");
}
