import type { WrapTargets } from "#history/reports/advice/advice-fold.ts";
import type { Advice, AdviceKind } from "#history/reports/advice/advice.ts";
import { adviceRepeatsMax } from "#history/reports/advice/session-usage.ts";
import { refusalTokensMax } from "#history/reports/replay/budget-replay.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { makeReportName, type Span } from "../document.ts";
import { listNames } from "../documents/parts.ts";

const changes: {
  readonly [
    kind in Exclude<
      AdviceKind,
      "large_answers" | "cut_answers" | "repeated_calls" | "repeats_apart"
    >
  ]: string;
} = {
  unused_server: "remove it from the client's settings",
  unused_tools: "turn them off in the client, or with an option of the server",
  listed_server: "remove it from the client's settings",
  listed_tools: "turn them off in the client, or with an option of the server",
  grown_definitions: "compare them with a lock:",
  reordered_lists:
    "ask its author to sort them: providers cache a prompt only up to its first difference",
  large_agent: "give it a smaller task, or fewer servers",
  duplicate_text: "if you wrote it, put a short text next to structuredContent",
  compact_json: "if you wrote it, write JSON without spaces",
  json_structure: "if you wrote it, return rows under one header row, or fewer fields",
};

export type SuggestedChange = {
  readonly text: readonly Span[];
  /** Says which servers `wrap` does not find. */
  readonly absent: readonly Span[];
  readonly commands: readonly string[];
};

/** Proposes `wrap` only for servers that are in the settings, if the settings are known. */
export function suggestChange(
  group: readonly Advice[],
  targets: WrapTargets | undefined,
): SuggestedChange {
  const kind = group[0]?.kind;
  const commands = listCommands(group, targets);
  const absent = describeAbsent(group, targets);
  const isAbsent = absent.length > 0 && commands.length === 0;
  const text = describeChange(group, commands.length > 0, isAbsent);
  const isLimit = kind === "large_answers" || kind === "repeated_calls";
  if (!isLimit) return { text: [text], absent: [], commands };
  const end = commands.length > 0 && absent.length === 0 ? ":" : "";
  return { text: [`${text}${end}`], absent, commands };
}

function describeChange(group: readonly Advice[], hasCommand: boolean, isAbsent: boolean): string {
  const [advice] = group;
  if (!advice) return "";
  switch (advice.kind) {
    case "repeated_calls":
      return isAbsent ? `refuse these with --max-repeats ${adviceRepeatsMax}` : "refuse these";
    case "repeats_apart":
      return suggestRepeats(group);
    case "large_answers":
      return suggestLimits(group, hasCommand, isAbsent);
    case "cut_answers":
      return suggestSmallerAnswers(group.length === 1 ? advice : undefined);
    case "unused_tools":
    case "unused_server":
    case "listed_server":
      return suggestRemoval(advice.kind, hasCommand, isAbsent);
    default:
      return changes[advice.kind];
  }
}

function suggestRemoval(
  kind: "unused_tools" | "unused_server" | "listed_server",
  hasCommand: boolean,
  isAbsent: boolean,
): string {
  if (kind === "unused_tools") return hasCommand ? "hide them:" : changes[kind];
  return isAbsent ? "turn it off in its client" : changes[kind];
}

function describeAbsent(
  group: readonly Advice[],
  targets: WrapTargets | undefined,
): readonly Span[] {
  const servers = [...new Set(group.map(({ server }) => server))];
  const absent = targets ? servers.filter((server) => !targets.has(server)) : [];
  if (absent.length === 0) return [];
  const names = listNames(absent.map(makeReportName));
  return [
    "; wrap does not find ",
    ...names,
    " in your settings; --project DIR adds those of a project",
  ];
}

function suggestLimits(group: readonly Advice[], hasCommand: boolean, isAbsent: boolean): string {
  const [advice] = group;
  const asking =
    group.length === 1 && advice?.kind === "large_answers"
      ? suggestParameters(advice.parameters)
      : askForLess;
  const noParameter = "no parameter of the tool shortens its answers";
  if (isAbsent) return asking ?? noParameter;
  const limit = `limit them${describeRemaining(group)}${hasCommand ? "" : " with a budget"}`;
  return asking === undefined ? `${noParameter}, so ${limit}` : `${asking}, or ${limit}`;
}

function describeRemaining(group: readonly Advice[]): string {
  const remaining = group.flatMap((advice) =>
    advice.kind === "large_answers" ? (advice.left_tokens ?? []) : [],
  );
  if (remaining.length === 0) return "";
  return ` (their client then shows about ${formatCount(Math.min(...remaining))} tokens of each)`;
}

type CutAnswers = Extract<Advice, { readonly kind: "cut_answers" }>;

function suggestSmallerAnswers(advice: CutAnswers | undefined): string {
  const asking = advice ? suggestParameters(advice.parameters) : askForLess;
  return asking ?? "no parameter of the tool limits its answers";
}

function suggestRepeats(group: readonly Advice[]): string {
  const repeats = group.flatMap((advice) => (advice.kind === "repeats_apart" ? [advice] : []));
  const calls = repeats.reduce((sum, advice) => sum + advice.calls, 0);
  const inRow = repeats.reduce((sum, advice) => sum + advice.calls_in_row, 0);
  const answerTokens = repeats.reduce((sum, advice) => sum + advice.answer_tokens, 0);
  if (answerTokens <= calls * refusalTokensMax) return "let the agent keep the answer";
  if (inRow === 0) return "other calls came in between, so let the agent keep the answer";
  const refused = inRow < calls ? `${formatCount(inRow)} of these` : calls === 1 ? "it" : "these";
  return `refuse ${refused} with --max-repeats 1, as no other call came in between`;
}

const askForLess = "ask for less with a parameter of the tool";

function suggestParameters(parameters: readonly string[] | undefined): string | undefined {
  if (parameters === undefined) return askForLess;
  return parameters.length === 0 ? undefined : `ask for less with ${parameters.join(" or ")}`;
}

function listCommands(
  group: readonly Advice[],
  targets: WrapTargets | undefined,
): readonly string[] {
  if (group[0]?.kind === "grown_definitions") return ["mcp-meter lock --check -- COMMAND"];
  if (group[0]?.kind === "unused_tools") return listTrimCommands(group, targets);
  // One command per server, with the options for all its tools.
  return [...Map.groupBy(group, ({ server }) => server)].flatMap(([server, members]) => {
    const options = members.flatMap((advice) => suggestOption(advice) ?? []);
    const target = targets ? targets.get(server) : { entryName: server, isRemote: false };
    if (options.length === 0 || !target) return [];
    if (!plainName.test(target.entryName)) return options;
    const remote = target.isRemote ? " --remote" : "";
    return [`mcp-meter wrap ${target.entryName}${remote} -- ${options.join(" ")}`];
  });
}

function listTrimCommands(
  group: readonly Advice[],
  targets: WrapTargets | undefined,
): readonly string[] {
  const names = group.flatMap(({ server }) =>
    targets ? (targets.get(server)?.entryName ?? []) : server,
  );
  const [only = ""] = names.length === 1 ? names : [];
  if (names.length === 0) return [];
  return [plainName.test(only) ? `mcp-meter trim ${only}` : "mcp-meter trim"];
}

export const plainName = /^\w[\w./-]{0,63}$/;

function suggestOption(advice: Advice): string | undefined {
  const { tool } = advice;
  if (advice.kind === "repeated_calls") return `--max-repeats ${adviceRepeatsMax}`;
  if (advice.kind !== "large_answers" || tool === null || !plainName.test(tool)) return undefined;
  // `all` means every tool, so a tool with that name is written as a pattern.
  const name = tool === "all" ? "al?" : tool;
  return `--budget '${name}=${advice.limit / 1000}k:truncate'`;
}
