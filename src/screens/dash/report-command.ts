import { shellWord } from "#kit/text/shell-word.ts";
import type { ViewChoice } from "./view.ts";

export type CommandChoice = {
  readonly choice: ViewChoice;
  readonly since: string;
  readonly until?: string | undefined;
  readonly timezone: string;
};

const axes: { readonly [screen: string]: readonly string[] } = {
  overview: ["tool"],
  tool: ["tool"],
  session: ["session"],
  definitions: ["server"],
};

export function namedOption(option: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  // A value that begins with a hyphen would be read as another option.
  return value.startsWith("-") ? [`${option}=${shellWord(value)}`] : [option, shellWord(value)];
}

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
