import type { WrapTargets } from "#history/reports/advice/advice-fold.ts";
import type { Advice } from "#history/reports/advice/advice.ts";
import { adviceRepeatsMax } from "#history/reports/advice/session-usage.ts";
import { refusalTokensMax } from "#history/reports/replay/budget-replay.ts";
import { addUp, formatCount } from "#kit/text/numbers.ts";
import { makeReportName, type Span } from "../document.ts";
import { type Group, listNames } from "../documents/shared-texts.ts";

/** Advice of one kind. */
export type AdviceGroup = Group<Advice>;

const turnToolsOff = "turn them off in the client, or with a server option";

const ifYours = (isOneServer: boolean): string =>
  `if the ${isOneServer ? "server is" : "servers are"} yours`;

const changes = {
  listed_tools: () => turnToolsOff,
  grown_definitions: () => "compare them with a lock:",
  reordered_lists: (isOneServer: boolean) =>
    `ask ${isOneServer ? "its author" : "their authors"} to sort them: providers reuse a cached prompt only up to the first change`,
  large_agent: () => "try smaller tasks, or fewer servers",
  duplicate_text: (isOneServer: boolean) =>
    `${ifYours(isOneServer)}, put a short text next to structuredContent`,
  compact_json: (isOneServer: boolean) => `${ifYours(isOneServer)}, write JSON without spaces`,
  json_structure: (isOneServer: boolean) =>
    `${ifYours(isOneServer)}, return fewer fields, or a table with one header row`,
};

export type SuggestedChange = {
  readonly text: readonly Span[];
  /** Names the servers that `wrap` cannot find. */
  readonly absent: readonly Span[];
  readonly commands: readonly string[];
};

/** If the settings are known, proposes `wrap` only for the servers in them. */
export function suggestChange(
  group: AdviceGroup,
  targets: WrapTargets | undefined,
): SuggestedChange {
  const [{ kind }] = group;
  const commands = listCommands(group, targets);
  const servers = listServers(group);
  const absentServers = targets ? servers.filter((server) => !targets.has(server)) : [];
  const noneCanBeWrapped = absentServers.length === servers.length;
  const text = describeChange(group, commands.length > 0, noneCanBeWrapped);
  const isSetByWrap = kind === "large_answers" || kind === "repeated_calls";
  if (!isSetByWrap) return { text: [text], absent: [], commands };
  const end = commands.length > 0 && absentServers.length === 0 ? ":" : "";
  return { text: [`${text}${end}`], absent: describeAbsent(absentServers), commands };
}

function describeChange(
  group: AdviceGroup,
  hasCommand: boolean,
  noneCanBeWrapped: boolean,
): string {
  const [advice] = group;
  switch (advice.kind) {
    case "repeated_calls":
      return noneCanBeWrapped
        ? `refuse such repeats with --max-repeats ${adviceRepeatsMax}`
        : "refuse such repeats";
    case "repeats_apart":
      return suggestRepeats(group);
    case "large_answers":
      return suggestLimits(group, hasCommand, noneCanBeWrapped);
    case "cut_answers":
      return suggestSmallerAnswers(group.length === 1 ? advice : undefined);
    case "unused_tools":
      return hasCommand ? "hide them:" : turnToolsOff;
    case "unused_server":
    case "listed_server":
      return suggestRemoval(group.length === 1, noneCanBeWrapped);
    default:
      return changes[advice.kind](listServers(group).length === 1);
  }
}

function suggestRemoval(isOneServer: boolean, noneCanBeWrapped: boolean): string {
  if (noneCanBeWrapped) {
    return isOneServer ? "turn it off in its client" : "turn them off in their clients";
  }
  return isOneServer
    ? "remove it from the client's settings"
    : "remove them from the clients' settings";
}

function listServers(group: AdviceGroup): readonly string[] {
  return [...new Set(group.map(({ server }) => server))];
}

function describeAbsent(servers: readonly string[]): readonly Span[] {
  if (servers.length === 0) return [];
  const names = listNames(servers.map(makeReportName));
  return [
    "; wrap cannot find ",
    ...names,
    " in your settings; add --project DIR to include a project's settings",
  ];
}

function suggestLimits(group: AdviceGroup, hasCommand: boolean, noneCanBeWrapped: boolean): string {
  const [advice] = group;
  const request =
    group.length === 1 && advice.kind === "large_answers"
      ? suggestParameters(advice.parameters)
      : askForLess;
  const noParameter = "no parameter of the tool shortens its answers";
  if (noneCanBeWrapped) return request ?? noParameter;
  const limit = `limit them${hasCommand ? "" : " with a budget"}${describeRemaining(group)}`;
  return request === undefined ? `${noParameter}, so ${limit}` : `${request}, or ${limit}`;
}

function describeRemaining(group: AdviceGroup): string {
  const remaining = group.flatMap((advice) =>
    advice.kind === "large_answers" ? (advice.left_tokens ?? []) : [],
  );
  if (remaining.length === 0) return "";
  return ` (the client then shows about ${formatCount(Math.min(...remaining))} tokens of each answer)`;
}

type CutAnswers = Extract<Advice, { readonly kind: "cut_answers" }>;

function suggestSmallerAnswers(advice: CutAnswers | undefined): string {
  const request = advice ? suggestParameters(advice.parameters) : askForLess;
  return request ?? "no parameter of the tool limits its answers";
}

function suggestRepeats(group: AdviceGroup): string {
  const repeats = group.flatMap((advice) => (advice.kind === "repeats_apart" ? [advice] : []));
  const calls = addUp(repeats.map((advice) => advice.calls));
  const callsInRow = addUp(repeats.map((advice) => advice.calls_in_row));
  const answerTokens = addUp(repeats.map((advice) => advice.answer_tokens));
  if (answerTokens <= calls * refusalTokensMax) return "have the agent reuse the earlier answer";
  if (callsInRow === 0) {
    return "other calls came between the repeats, so --max-repeats cannot refuse them; have the agent reuse the earlier answer";
  }
  if (callsInRow < calls) {
    return `refuse ${formatCount(callsInRow)} of these with --max-repeats 1: those with no other call in between`;
  }
  return `refuse ${calls === 1 ? "it" : "these"} with --max-repeats 1: no other call came in between`;
}

const askForLess = "ask for less with a parameter of the tool";

function suggestParameters(parameters: readonly string[] | undefined): string | undefined {
  if (parameters === undefined) return askForLess;
  return parameters.length === 0 ? undefined : `ask for less with ${parameters.join(" or ")}`;
}

function listCommands(group: AdviceGroup, targets: WrapTargets | undefined): readonly string[] {
  const [{ kind }] = group;
  if (kind === "grown_definitions") return ["mcp-meter lock --check -- COMMAND"];
  if (kind === "unused_tools") return listTrimCommands(group, targets);
  return [...Map.groupBy(group, ({ server }) => server)].flatMap(([server, members]) => {
    const options = members.flatMap((advice) => suggestOption(advice) ?? []);
    const target = targets ? targets.get(server) : { entryName: server, isRemote: false };
    if (options.length === 0 || !target) return [];
    // A name that a shell could misread is not printed.
    const name = plainName.test(target.entryName) ? target.entryName : "SERVER";
    const remote = target.isRemote ? " --remote" : "";
    return [`mcp-meter wrap ${name}${remote} -- ${options.join(" ")}`];
  });
}

function listTrimCommands(group: AdviceGroup, targets: WrapTargets | undefined): readonly string[] {
  const names = group.flatMap(({ server }) =>
    targets ? (targets.get(server)?.entryName ?? []) : server,
  );
  const [name] = names;
  if (name === undefined) return [];
  const canNameServer = names.length === 1 && plainName.test(name);
  return [canNameServer ? `mcp-meter trim ${name}` : "mcp-meter trim"];
}

export const plainName = /^\w[\w./-]{0,63}$/;

function suggestOption(advice: Advice): string | undefined {
  const { tool } = advice;
  if (advice.kind === "repeated_calls") return `--max-repeats ${adviceRepeatsMax}`;
  if (advice.kind !== "large_answers" || tool === null || !plainName.test(tool)) return undefined;
  // In a budget, `all` means all servers, so a tool with that name is written as a pattern.
  const name = tool === "all" ? "al?" : tool;
  return `--budget '${name}=${advice.limit / 1000}k:truncate'`;
}
