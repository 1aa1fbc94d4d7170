import type { ClientLimits } from "./client-profile.ts";
import type { ClientProfile } from "./client-profile.ts";

/** How large an answer is to the model. */
export type AnswerSize = {
  readonly tokens: number;
  /** Characters of all its text. */
  readonly characters: number;
  readonly hasImages: boolean;
};

/** What the user and the server asked of the client. */
export type LimitSettings = {
  /** The client's own setting of the most tokens: `MAX_MCP_OUTPUT_TOKENS`. */
  readonly cutTokens?: number | undefined;
  /** The tool's `_meta["anthropic/maxResultSizeChars"]`, as the server sent it. */
  readonly spillCharacters?: unknown;
};

/** Where a client interferes with one answer; Infinity where it does not. */
export type AnswerLimits = {
  readonly warnTokens: number;
  readonly cutTokens: number;
  readonly cutCharacters: number;
  readonly spillCharacters: number;
};

/** A client's limits for one tool's answers. A tool that asks for room is held to characters, not tokens. */
export function answerLimits(
  { limits }: ClientProfile,
  hasImages: boolean,
  settings: LimitSettings = {},
): AnswerLimits {
  const asked = askedCharacters(limits, settings.spillCharacters);
  const cutTokens =
    limits.cutTokens === undefined ? Infinity : (settings.cutTokens ?? limits.cutTokens);
  const spill = limits.spill === undefined ? Infinity : (asked ?? limits.spill.characters);
  return {
    warnTokens: limits.warnTokens ?? Infinity,
    cutTokens: hasImages || asked === undefined ? cutTokens : Infinity,
    cutCharacters: limits.cutCharacters ?? Infinity,
    spillCharacters: hasImages ? Infinity : spill,
  };
}

function askedCharacters({ spill }: ClientLimits, raw: unknown): number | undefined {
  if (spill === undefined || typeof raw !== "number" || !(raw > 0)) return undefined;
  return Math.min(raw, spill.byToolMax);
}
