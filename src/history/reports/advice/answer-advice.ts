import { refusalTokensMost } from "#kit/limits.ts";
import { answerOverheads } from "#records/answer-overhead.ts";
import { compactJsonSavings } from "#records/compact-json.ts";
import type { Advice } from "./advice.ts";
import type { KnownLists, ServerUsage, UsedTool } from "./server-usage.ts";
import { highestLimit, type LimitEffect, overheadOf, rareLimit } from "./tool-usage.ts";

// Less is not worth a change.
export const adviceTokensMin = 500;

const advicePercentMin = 10;

const adviceSharePercentMin = 25;

export function answerAdvice(usage: ServerUsage, allTokens: number): Advice[] {
  const { server, tools } = usage;
  const rows = tools.map(({ name, usage: sums }) => ({
    tool: name,
    output_tokens: sums.answer_tokens,
    overhead: overheadOf(sums),
  }));
  return [
    ...tools.flatMap((tool) => largeAnswers(usage, tool, allTokens)),
    ...tools.flatMap((tool) => [...duplicateText(server, tool), ...cutAnswers(usage, tool)]),
    ...compactJsonSavings(rows).map(({ tool, tokens, share }): Advice => ({
      kind: "compact_json",
      server,
      tool,
      tokens,
      per: "period",
      share,
    })),
    ...jsonStructure(server, rows),
    ...repeatedCalls(usage),
  ];
}

function largeAnswers(
  server: ServerUsage,
  { name, isTool, usage }: UsedTool,
  allTokens: number,
): Advice[] {
  const share = allTokens === 0 ? 0 : usage.tokens / allTokens;
  const isLarge = share * 100 >= adviceSharePercentMin;
  const effect = worthwhile(rareLimit(usage), usage.answered_tokens);
  const advised = effect ?? (isLarge ? highestLimit(usage, advicePercentMin) : undefined);
  if (!isTool || !advised || advised.tokens < adviceTokensMin) return [];
  const { answered_calls: calls } = usage;
  const parameters = parametersOf(server.describing, name);
  return [
    {
      kind: "large_answers",
      server: server.server,
      tool: name,
      per: "period",
      ...advised,
      calls,
      share,
      ...(parameters ? { parameters } : {}),
    },
  ];
}

function worthwhile(effect: LimitEffect | undefined, allTokens: number): LimitEffect | undefined {
  return effect && effect.tokens * 100 >= allTokens * advicePercentMin ? effect : undefined;
}

function duplicateText(server: string, { name: tool, usage }: UsedTool): Advice[] {
  const tokens = usage.duplicate_tokens;
  if (tokens < adviceTokensMin) return [];
  const share = tokens / Math.max(1, usage.answer_tokens);
  return [{ kind: "duplicate_text", server, tool, tokens, per: "period", share }];
}

type OverheadRows = Parameters<typeof answerOverheads>[0];

function jsonStructure(server: string, rows: OverheadRows): Advice[] {
  return answerOverheads(rows).flatMap(({ tool, causes }): Advice[] => {
    const cause = causes.find((one) => one.cause === "structure");
    const answers = rows.find((row) => row.tool === tool)?.output_tokens ?? 0;
    const tokens = Math.round((cause?.share ?? 0) * answers);
    if (!cause || tokens < adviceTokensMin) return [];
    return [{ kind: "json_structure", server, tool, tokens, per: "period", share: cause.share }];
  });
}

/** The model did not read the rest. */
function cutAnswers(
  { server, describing }: ServerUsage,
  { name: tool, usage }: UsedTool,
): Advice[] {
  const calls = usage.shortened_answers;
  if (calls === 0) return [];
  const parameters = parametersOf(describing, tool);
  const named = parameters ? { parameters } : {};
  return [{ kind: "cut_answers", server, tool, tokens: 0, per: "period", calls, ...named }];
}

/** Calls that `--max-repeats` would have refused, over all tools of the server as the option counts them, less the refusals that the model would have read. */
function repeatedCalls({ server, tools }: ServerUsage): Advice[] {
  const refusable = tools.map((tool) => tool.refusable);
  const calls = refusable.reduce((sum, one) => sum + one.calls, 0);
  const answers = refusable.reduce((sum, one) => sum + one.tokens, 0);
  const tokens = answers - calls * refusalTokensMost;
  const isWorth = tokens >= adviceTokensMin;
  const limit: Advice = {
    kind: "repeated_calls",
    server,
    tool: null,
    tokens,
    per: "period",
    calls,
  };
  const apart = tools.flatMap((tool) => repeatsApart(server, tool, isWorth));
  return isWorth ? [limit, ...apart] : apart;
}

function repeatsApart(
  server: string,
  { name: tool, usage, refusable }: UsedTool,
  isLimited: boolean,
): Advice[] {
  const calls = usage.repeated_calls - (isLimited ? refusable.calls : 0);
  const answers = usage.repeated_tokens - (isLimited ? refusable.tokens : 0);
  if (answers < adviceTokensMin) return [];
  const facts = { calls, answer_tokens: answers };
  return [{ kind: "repeats_apart", server, tool, tokens: 0, per: "period", ...facts }];
}

function parametersOf(
  { newest, newestWhole }: KnownLists,
  tool: string,
): readonly string[] | undefined {
  const listed = [newest, newestWhole].flatMap((dated) => dated?.list.tools ?? []);
  return listed.find(({ name }) => name === tool)?.narrowing_parameters;
}
