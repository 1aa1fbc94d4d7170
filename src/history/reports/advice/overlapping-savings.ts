import { type Advice, adviceTokensMin, type FoundAdvice } from "./advice.ts";
import type { ServerUsage } from "./session-usage.ts";
import { computeSavedTokens } from "./unused-tools.ts";
import { refusalTokensMax } from "../replay/budget-replay.ts";

type AdvisedServer = { readonly usage: ServerUsage; readonly advice: readonly FoundAdvice[] };

/**
 * Subtracts from each saving its overlap with larger savings, so that the sum of `saved_tokens` counts no token twice.
 * Drops advice that then saves too little.
 */
export function subtractOverlaps(usages: readonly AdvisedServer[]): Advice[] {
  const unsavedShares = new Map<string, number>();
  const sized = usages.flatMap(({ usage, advice }) =>
    advice.map((found) => {
      const savings = listSavings(found, usage);
      return { found, savings, size: sumSavings(savings) || found.tokens };
    }),
  );
  return sized
    .toSorted((a, b) => b.size - a.size)
    .flatMap(({ found, savings }): Advice[] => {
      const remaining = savings.map((saving) => {
        return { ...saving, tokens: saving.tokens * (unsavedShares.get(saving.source) ?? 1) };
      });
      const saved = Math.round(sumSavings(remaining));
      const adviceTokens = savings.length > 0 ? saved : found.tokens;
      if (found.tokens > 0 && adviceTokens < adviceTokensMin) return [];
      for (const saving of savings) subtractSaving(saving, unsavedShares);
      return [{ ...found, saved_tokens: saved }];
    });
}

/** `tokens` is the saved part of `sourceTokens`. The source is a tool's calls or a server's definitions. */
type Saving = {
  readonly source: string;
  readonly sourceTokens: number;
  readonly tokens: number;
};

function sumSavings(savings: readonly Saving[]): number {
  return savings.reduce((sum, { tokens }) => sum + tokens, 0);
}

// Savings from the same source count as independent: each saves its share of the tokens that larger savings leave.
function subtractSaving(
  { source, sourceTokens, tokens }: Saving,
  unsavedShares: Map<string, number>,
): void {
  const share = unsavedShares.get(source) ?? 1;
  unsavedShares.set(source, share * (1 - Math.min(1, tokens / sourceTokens)));
}

function listSavings(found: FoundAdvice, usage: ServerUsage): readonly Saving[] {
  const { server, definitionTokens } = usage;
  const makeDefinitionSaving = (share: number): readonly Saving[] =>
    definitionTokens === 0
      ? []
      : [{ source: server, sourceTokens: definitionTokens, tokens: share * definitionTokens }];
  switch (found.kind) {
    case "unused_server":
      return makeDefinitionSaving(1);
    case "unused_tools":
      return makeDefinitionSaving(computeSavedTokens(usage, found.tokens) / definitionTokens);
    case "grown_definitions":
      return makeDefinitionSaving(found.tokens / found.after_tokens);
    case "repeated_calls":
      return splitRepeatSavings(found, usage);
    case "listed_server":
    case "listed_tools":
      return [];
    default:
      return found.tool === null ? [] : makeAnswerSaving(usage, found.tool, found.tokens);
  }
}

// If refusing a tool's repeats costs more than it saves, the tool gets no saving here. `netTokens` includes this loss,
// so the savings of the other tools are scaled to `netTokens`.
function splitRepeatSavings(
  { tokens: netTokens }: FoundAdvice,
  usage: ServerUsage,
): readonly Saving[] {
  const savings = usage.tools.flatMap(({ name, refusable: { calls, tokens } }) =>
    makeAnswerSaving(usage, name, tokens - calls * refusalTokensMax),
  );
  const share = netTokens / sumSavings(savings);
  return savings.map((saving) => ({ ...saving, tokens: saving.tokens * share }));
}

function makeAnswerSaving({ server, tools }: ServerUsage, tool: string, tokens: number): Saving[] {
  const sourceTokens = tools.find(({ name }) => name === tool)?.usage.tokens ?? 0;
  if (tokens <= 0 || sourceTokens === 0) return [];
  return [{ source: `${server}\n${tool}`, sourceTokens, tokens: Math.min(tokens, sourceTokens) }];
}
