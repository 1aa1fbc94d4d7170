import type { ServerUsage, UsedTool } from "./session-usage.ts";
import type { DefinitionList, KnownLists } from "../definition-lists.ts";
import { findAnswerOverheads, findCompactJsonSavings } from "#records/reported-overheads.ts";
import {
  type Advice,
  adviceNamesMax,
  adviceTokensMin,
  type FoundAdvice,
  type GrownTool,
} from "./advice.ts";
import { subtractOverlaps } from "./overlapping-savings.ts";
import { computeOverhead, type LimitEffect, type ToolUsage } from "./tool-usage.ts";
import { adviseUnusedDefinitions } from "./unused-tools.ts";
import { refusalTokensMax } from "../replay/budget-replay.ts";

export function makeAdvice(
  usages: readonly ServerUsage[],
  agents: readonly AgentUsage[] = [],
): Advice[] {
  const allTokens = sumAllTokens(usages);
  const advice = subtractOverlaps(
    usages.map((usage) => ({
      usage,
      advice: [...adviseDefinitions(usage), ...adviseAnswers(usage, allTokens)],
    })),
  );
  return [...advice, ...adviseLargeAgents(agents, allTokens)];
}

/** The calls of a sub-agent. `server` is the server whose calls have the most tokens. */
export type AgentUsage = {
  readonly client: string;
  readonly estimator: string;
  readonly server: string;
  readonly calls: number;
  readonly tokens: number;
};

const agentCallsMin = 20;

const agentSharePercentMin = 25;

function adviseLargeAgents(agents: readonly AgentUsage[], allTokens: number): Advice[] {
  const common = {
    kind: "large_agent",
    tool: null,
    tokens: 0,
    saved_tokens: 0,
    per: "period",
  } as const;
  return agents
    .filter(
      ({ calls, tokens }) =>
        calls >= agentCallsMin && tokens > 0 && tokens * 100 >= allTokens * agentSharePercentMin,
    )
    .toSorted((a, b) => b.tokens - a.tokens)
    .map(({ server, calls, tokens }) => {
      return { ...common, server, calls, share: tokens / Math.max(1, allTokens) };
    });
}

export function sumAllTokens(usages: readonly ServerUsage[]): number {
  return usages.reduce(
    (total, { tools, definitionTokens }) =>
      tools.reduce((sum, { usage }) => sum + usage.tokens, total + definitionTokens),
    0,
  );
}

function adviseDefinitions(usage: ServerUsage): FoundAdvice[] {
  return [
    ...adviseUnusedDefinitions(usage),
    ...adviseGrownDefinitions(usage),
    ...adviseReorderedLists(usage),
  ];
}

function adviseGrownDefinitions({ server, listsByEstimator }: ServerUsage): FoundAdvice[] {
  const [largest] = listsByEstimator
    .flatMap((lists) => adviseGrowth(server, lists))
    .toSorted((a, b) => b.tokens - a.tokens);
  return largest ? [largest] : [];
}

function adviseGrowth(
  server: string,
  { oldestComplete, newestComplete }: KnownLists,
): FoundAdvice[] {
  if (!oldestComplete || !newestComplete) return [];
  const [before, after] = [oldestComplete.list, newestComplete.list];
  const tokens = after.total_tokens - before.total_tokens;
  if (tokens < adviceTokensMin) return [];
  return [
    {
      kind: "grown_definitions",
      server,
      tool: null,
      tokens,
      per: "session",
      before_tokens: before.total_tokens,
      after_tokens: after.total_tokens,
      since: oldestComplete.ts,
      tools: findGrownTools(before, after).slice(0, adviceNamesMax),
    },
  ];
}

function adviseReorderedLists({ server, completeLists, tools }: ServerUsage): FoundAdvice[] {
  const lists = [...completeLists].map((list) => list.tools.map(({ sha256 }) => sha256));
  const listsByTools = Map.groupBy(lists, (hashes) => hashes.toSorted().join());
  const orderCounts = [...listsByTools.values()].map(
    (listsOfSameTools) => new Set(listsOfSameTools.map((hashes) => hashes.join())).size,
  );
  const orders = Math.max(0, ...orderCounts);
  if (orders < 2) return [];
  const changes = tools.reduce((sum, { usage }) => sum + usage.reorders, 0);
  const rewritten = tools.reduce((sum, { usage }) => sum + usage.rewritten_tokens, 0);
  const facts = { orders, changes, rewritten_tokens: rewritten };
  return [{ kind: "reordered_lists", server, tool: null, tokens: 0, per: "period", ...facts }];
}

function findGrownTools(before: DefinitionList, after: DefinitionList): readonly GrownTool[] {
  const known = new Map(before.tools.map(({ name, tokens }) => [name, tokens]));
  return after.tools
    .map(({ name, tokens }) => ({
      name,
      before_tokens: known.get(name) ?? 0,
      after_tokens: tokens,
    }))
    .filter(({ before_tokens: old, after_tokens: now }) => now > old)
    .toSorted((a, b) => computeGrowth(b) - computeGrowth(a) || (a.name < b.name ? -1 : 1));
}

function computeGrowth({ before_tokens: before, after_tokens: after }: GrownTool): number {
  return after - before;
}

function adviseAnswers(usage: ServerUsage, allTokens: number): FoundAdvice[] {
  const { server, tools } = usage;
  const rows = tools.map(({ name, usage: sums }) => ({
    tool: name,
    output_tokens: sums.answer_tokens,
    overhead: computeOverhead(sums),
  }));
  return [
    ...tools.flatMap((tool) => adviseLargeAnswers(usage, tool, allTokens)),
    ...tools.flatMap((tool) => [
      ...adviseDuplicateText(server, tool),
      ...adviseCutAnswers(usage, tool),
    ]),
    ...findCompactJsonSavings(rows).map(({ tool, tokens, share }): FoundAdvice => ({
      kind: "compact_json",
      server,
      tool,
      tokens,
      per: "period",
      share,
    })),
    ...adviseJsonStructure(server, rows),
    ...adviseRepeatedCalls(usage),
  ];
}

function adviseLargeAnswers(server: ServerUsage, tool: UsedTool, allTokens: number): FoundAdvice[] {
  const advised = findAdvisedLimit(tool);
  if (!advised || isLimitLowEnough(tool, advised)) return [];
  const { name, usage } = tool;
  const { limit, calls: shortenedCalls, tokens } = advised;
  const shownTokens = findShownTokens(usage, limit);
  const parameters = findParameters(server.knownLists, name);
  return [
    {
      kind: "large_answers",
      server: server.server,
      tool: name,
      per: "period",
      limit,
      shortened_calls: shortenedCalls,
      tokens,
      calls: usage.answered_calls,
      share: allTokens === 0 ? 0 : usage.tokens / allTokens,
      ...(shownTokens === undefined ? {} : { left_tokens: shownTokens }),
      ...(parameters ? { parameters } : {}),
    },
  ];
}

const savedPercentMin = 10;

// A limit is preferred if it shortens at most a tenth of the calls. A tool with fewer than ten calls gets no limit.
const callsPerShortened = 10;

/** Picks among the limits that save enough: the lowest that shortens few calls, or the highest if none does. */
function findAdvisedLimit({ isTool, usage }: UsedTool): LimitEffect | undefined {
  const { limitEffects, answered_calls: calls, answered_tokens: tokens } = usage;
  if (!isTool || calls < callsPerShortened) return undefined;
  const worthwhile = limitEffects.filter(
    (candidate) => candidate.tokens * 100 >= tokens * savedPercentMin,
  );
  const rare = worthwhile.find((candidate) => candidate.calls * callsPerShortened <= calls);
  const advised = rare ?? worthwhile.at(-1);
  return advised && advised.tokens >= adviceTokensMin ? advised : undefined;
}

function isLimitLowEnough({ limit = Infinity }: UsedTool, advised: LimitEffect): boolean {
  return limit <= advised.limit;
}

export type LimitInPlace = {
  readonly server: string;
  readonly tool: string;
  readonly limit: number;
  /** The mean tokens of an answered call, with and without the limit; undefined for too few calls. */
  readonly effect?: { readonly limited: number; readonly unlimited: number } | undefined;
};

/** Lists the limits that already do what `large_answers` would advise. */
export function listLimitsInPlace(usages: readonly ServerUsage[]): LimitInPlace[] {
  return usages.flatMap(({ server, tools }) =>
    tools.flatMap((tool): LimitInPlace[] => {
      const advised = findAdvisedLimit(tool);
      const { name, limit } = tool;
      const isInPlace =
        advised !== undefined && limit !== undefined && isLimitLowEnough(tool, advised);
      return isInPlace ? [{ server, tool: name, limit, effect: measureEffect(tool) }] : [];
    }),
  );
}

// With fewer calls, a difference may be chance.
const effectCallsMin = 10;

function measureEffect({ usage, limitedUsage }: UsedTool): LimitInPlace["effect"] {
  if (!limitedUsage) return undefined;
  const { answered_calls: calls, answered_tokens: tokens } = limitedUsage;
  const otherCalls = usage.answered_calls - calls;
  if (Math.min(calls, otherCalls) < effectCallsMin) return undefined;
  const otherTokens = usage.answered_tokens - tokens;
  return { limited: Math.round(tokens / calls), unlimited: Math.round(otherTokens / otherCalls) };
}

// Shortening can turn an answer with `structuredContent` into an error, and some clients shorten errors further.
// Returns the average number of tokens that those clients show of an error, if it is below `limit`.
function findShownTokens(
  { possible_errors: calls, possible_error_tokens: tokens }: ToolUsage,
  limit: number,
): number | undefined {
  const shown = Math.round(tokens / Math.max(1, calls));
  return calls > 0 && shown < limit ? shown : undefined;
}

function adviseDuplicateText(server: string, { name: tool, usage }: UsedTool): FoundAdvice[] {
  const tokens = usage.duplicate_tokens;
  if (tokens < adviceTokensMin) return [];
  const share = tokens / Math.max(1, usage.answer_tokens);
  return [{ kind: "duplicate_text", server, tool, tokens, per: "period", share }];
}

type OverheadRows = Parameters<typeof findAnswerOverheads>[0];

function adviseJsonStructure(server: string, rows: OverheadRows): FoundAdvice[] {
  return findAnswerOverheads(rows).flatMap(({ tool, causes }): FoundAdvice[] => {
    const cause = causes.find((candidate) => candidate.cause === "structure");
    const answers = rows.find((row) => row.tool === tool)?.output_tokens ?? 0;
    const tokens = Math.round((cause?.share ?? 0) * answers);
    if (!cause || tokens < adviceTokensMin) return [];
    return [{ kind: "json_structure", server, tool, tokens, per: "period", share: cause.share }];
  });
}

function adviseCutAnswers(
  { server, knownLists }: ServerUsage,
  { name: tool, usage }: UsedTool,
): FoundAdvice[] {
  const calls = usage.shortened_answers;
  if (calls === 0) return [];
  const parameters = findParameters(knownLists, tool);
  const named = parameters ? { parameters } : {};
  return [{ kind: "cut_answers", server, tool, tokens: 0, per: "period", calls, ...named }];
}

// If repeats were refused, the model would read refusals instead, so the tokens of the refusals are subtracted.
function adviseRepeatedCalls({ server, tools, refusesRepeats }: ServerUsage): FoundAdvice[] {
  const refusable = tools.map((tool) => tool.refusable);
  const calls = refusable.reduce((sum, run) => sum + run.calls, 0);
  const answers = refusable.reduce((sum, run) => sum + run.tokens, 0);
  const tokens = answers - calls * refusalTokensMax;
  const isWorthwhile = tokens >= adviceTokensMin;
  const advice: FoundAdvice = {
    kind: "repeated_calls",
    server,
    tool: null,
    tokens,
    per: "period",
    calls,
  };
  const apart = tools.flatMap((tool) => adviseRepeatsApart(server, tool, isWorthwhile));
  return isWorthwhile && !refusesRepeats ? [advice, ...apart] : apart;
}

function adviseRepeatsApart(
  server: string,
  { name: tool, usage, refusable }: UsedTool,
  isRefusalWorthwhile: boolean,
): FoundAdvice[] {
  if (isRefusalWorthwhile && refusable.calls > 0) return [];
  const { repeated_calls: calls, repeated_tokens: answers } = usage;
  if (answers < adviceTokensMin) return [];
  const facts = { calls, calls_in_row: usage.calls_in_row, answer_tokens: answers };
  return [{ kind: "repeats_apart", server, tool, tokens: 0, per: "period", ...facts }];
}

function findParameters(
  { newest, newestComplete }: KnownLists,
  tool: string,
): readonly string[] | undefined {
  const listed = [newest, newestComplete].flatMap((dated) => dated?.list.tools ?? []);
  return listed.find(({ name }) => name === tool)?.narrowing_parameters;
}
