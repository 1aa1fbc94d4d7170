import { sumUnusedTools } from "#records/definition-summary.ts";
import type { UnusedSummary } from "#records/summary.ts";
import type { ServerUsage } from "./session-usage.ts";
import { refusalTokensMax } from "../replay/budget-replay.ts";

export type Advice = AdviceFacts & AdviceAmounts;

type AdviceAmounts = {
  readonly server: string;
  readonly tool: string | null;
  readonly tokens: number;
  readonly per: "session" | "period";
  /** In the period, without what larger advice already saves. 0 if the tokens are only sent again. */
  readonly saved_tokens: number;
};

/** Advice before overlapping savings are subtracted. */
export type FoundAdvice = AdviceFacts & Omit<AdviceAmounts, "saved_tokens">;

type AdviceFacts =
  | { readonly kind: "unused_server"; readonly sessions: number }
  | {
      readonly kind: "unused_tools";
      readonly names: readonly string[];
      readonly unused: number;
      readonly listed: number;
    }
  // Like the unused ones, but the client lists their tools by name only and loads no definitions.
  | {
      readonly kind: "listed_server";
      readonly sessions: number;
      readonly requests: number;
    }
  | {
      readonly kind: "listed_tools";
      readonly names: readonly string[];
      readonly unused: number;
      readonly listed: number;
      readonly requests: number;
    }
  | {
      readonly kind: "grown_definitions";
      readonly before_tokens: number;
      readonly after_tokens: number;
      readonly since: string;
      readonly tools: readonly GrownTool[];
    }
  | {
      readonly kind: "reordered_lists";
      readonly orders: number;
      /** How often the order changed between calls of a session. */
      readonly changes: number;
      readonly rewritten_tokens: number;
    }
  | {
      readonly kind: "large_answers";
      readonly limit: number;
      readonly shortened_calls: number;
      readonly calls: number;
      readonly share: number;
      /** Present if the client shows less of a shortened answer than the limit. */
      readonly left_tokens?: number;
      readonly parameters?: readonly string[];
    }
  | { readonly kind: "repeated_calls"; readonly calls: number }
  // Repeats that `--max-repeats` would not refuse at its advised value, or would refuse at a loss.
  | {
      readonly kind: "repeats_apart";
      readonly calls: number;
      /** Calls directly after an identical one. */
      readonly calls_in_row: number;
      readonly answer_tokens: number;
    }
  | { readonly kind: "large_agent"; readonly calls: number; readonly share: number }
  | { readonly kind: "duplicate_text"; readonly share: number }
  | { readonly kind: "compact_json"; readonly share: number }
  | { readonly kind: "json_structure"; readonly share: number }
  | {
      readonly kind: "cut_answers";
      readonly calls: number;
      readonly parameters?: readonly string[];
    };

export type GrownTool = {
  readonly name: string;
  readonly before_tokens: number;
  readonly after_tokens: number;
};

export type AdviceKind = Advice["kind"];

// A smaller saving is not worth a change of the settings.
export const adviceTokensMin = 500;

/** Starts with the largest savings, so that the total of `saved_tokens` counts no token twice. */
export function subtractOverlaps(usages: readonly AdvisedServer[]): Advice[] {
  const unsavedShares = new Map<string, number>();
  const weighed = usages.flatMap(({ usage, advice }) =>
    advice.map((found) => {
      const savings = listSavings(found, usage);
      return { found, savings, weight: sumSavings(savings) || found.tokens };
    }),
  );
  return weighed
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ found, savings }): Advice[] => {
      const remaining = savings.map((saving) => {
        return { ...saving, tokens: saving.tokens * (unsavedShares.get(saving.source) ?? 1) };
      });
      const saved = Math.round(sumSavings(remaining));
      const worthTokens = savings.length > 0 ? saved : found.tokens;
      if (found.tokens > 0 && worthTokens < adviceTokensMin) return [];
      for (const saving of savings) takeSaving(saving, unsavedShares);
      return [{ ...found, saved_tokens: saved }];
    });
}

type AdvisedServer = { readonly usage: ServerUsage; readonly advice: readonly FoundAdvice[] };

/** The source is a tool, or the definitions of a server. */
type Saving = {
  readonly source: string;
  readonly sourceTokens: number;
  readonly tokens: number;
};

function sumSavings(savings: readonly Saving[]): number {
  return savings.reduce((sum, { tokens }) => sum + tokens, 0);
}

// Two changes to the same answers count as independent: each saves its share of the tokens that the other leaves.
function takeSaving(
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
      return makeDefinitionSaving(countSavedTokens(usage, found.tokens) / definitionTokens);
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

// Where refusing the repeats of a tool costs more than it saves, the savings of the other tools shrink.
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

function countResidentTokens({ lists }: ServerUsage): number {
  return lists.newest?.list.resident_tokens ?? Infinity;
}

/** In the period, for `tokens` of the newest list. */
export function countSavedTokens(usage: ServerUsage, tokens: number): number {
  return tokens === 0 ? 0 : (tokens / countResidentTokens(usage)) * usage.residentTokens;
}

export const adviceSessionsMin = 3;

/** Tools that no session called, except the `exempt` ones; undefined if hiding them saves little. */
export function findUnusedTools(
  usage: ServerUsage,
  sessionsMin = adviceSessionsMin,
  exempt: readonly string[] = [],
): UnusedSummary | undefined {
  const { server, sessions, lists, called, calls } = usage;
  if (!lists.newest || calls === 0 || sessions < sessionsMin) return undefined;
  const keys = new Set([...called, ...exempt].map((name) => `${server}\n${name}`));
  const unused = sumUnusedTools([lists.newest.list], keys);
  const saved = countSavedTokens(usage, unused?.tokens ?? 0);
  return saved >= adviceTokensMin ? (unused ?? undefined) : undefined;
}
