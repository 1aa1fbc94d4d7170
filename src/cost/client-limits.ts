import type { ClientLimits, ClientProfile } from "./client-profile.ts";

/** The size of an answer as its model reads it. */
export type AnswerSize = {
  readonly tokens: number;
  /** Characters of all its text. */
  readonly characters: number;
  readonly hasImages: boolean;
};

/** Settings of the user and of the tool that change a client's limits. */
export type LimitSettings = {
  /** The user's maximum of tokens: `MAX_MCP_OUTPUT_TOKENS`. */
  readonly cutTokens?: number | undefined;
  /** The tool's `_meta["anthropic/maxResultSizeChars"]`, as the server sent it. */
  readonly spillCharacters?: unknown;
};

/** The limits of a client for one answer; Infinity where there is none. */
export type AnswerLimits = {
  readonly warnTokens: number;
  readonly cutTokens: number;
  readonly cutCharacters: number;
  readonly spillCharacters: number;
};

/** A client's limits for one tool's answers. A tool that requests a size is limited by characters, not tokens. */
export function answerLimits(
  { limits }: ClientProfile,
  hasImages: boolean,
  settings: LimitSettings = {},
): AnswerLimits {
  const requested = requestedCharacters(limits, settings.spillCharacters);
  const cutTokens =
    limits.cutTokens === undefined ? Infinity : (settings.cutTokens ?? limits.cutTokens);
  const spill = limits.spill === undefined ? Infinity : (requested ?? limits.spill.characters);
  return {
    warnTokens: limits.warnTokens ?? Infinity,
    cutTokens: hasImages || requested === undefined ? cutTokens : Infinity,
    cutCharacters: limits.cutCharacters ?? Infinity,
    spillCharacters: hasImages ? Infinity : spill,
  };
}

function requestedCharacters({ spill }: ClientLimits, raw: unknown): number | undefined {
  if (spill === undefined || typeof raw !== "number" || !(raw > 0)) return undefined;
  return Math.min(raw, spill.byToolMax);
}
