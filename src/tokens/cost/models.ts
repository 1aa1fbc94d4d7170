import type { Encoding } from "../tokenizer/tokenizer.ts";
import type { ImageRuleId } from "./media/image.ts";

/** Models with the same prices. Sources: docs/notes/models.md. */
export type ModelFamily = {
  readonly id: string;
  readonly estimator: string;
  /** Public vocabularies only: counts with them are exact. */
  readonly encoding?: Encoding;
  readonly image: ImageRuleId;
  /** Absent where the maker publishes no price for sound. */
  readonly audioTokensPerSecond?: number;
};

export type Model = {
  readonly family: ModelFamily;
  readonly windowTokens?: number;
};

const gpt4: ModelFamily = {
  id: "gpt-4",
  estimator: "cl100k",
  encoding: "cl100k_base",
  image: "gpt-4o",
};
const gpt4o: ModelFamily = {
  id: "gpt-4o",
  estimator: "o200k",
  encoding: "o200k_base",
  image: "gpt-4o",
};
const gpt5: ModelFamily = { ...gpt4o, id: "gpt-5", image: "gpt-5" };
const gpt55: ModelFamily = { ...gpt4o, id: "gpt-5.5", image: "gpt-5.5" };
const claudeLegacy: ModelFamily = {
  id: "claude-4.6",
  estimator: "claude-legacy",
  image: "claude-4.6",
};
const claude: ModelFamily = { id: "claude-5", estimator: "claude", image: "claude-5" };
const gemini2: ModelFamily = {
  id: "gemini-2",
  estimator: "gemini",
  image: "gemini-2",
  audioTokensPerSecond: 32,
};
const gemini3: ModelFamily = { ...gemini2, id: "gemini-3", image: "gemini-3" };

/** `from` sorts versions: 4.10 is 410, 5 is 500. */
export type ModelRow = Model & { readonly stem: string; readonly from?: number };

// The maker's name or a series alone: `opus`, `sonnet-4-5`.
const claudeRows = ["claude", "opus", "sonnet", "haiku"].flatMap((stem): ModelRow[] => [
  { stem, from: 0, family: claudeLegacy, windowTokens: 200_000 },
  { stem, from: 406, family: claudeLegacy, windowTokens: 1_000_000 },
  { stem, from: 407, family: claude, windowTokens: 1_000_000 },
]);

export const modelRows: readonly ModelRow[] = [
  { stem: "gpt-35", family: gpt4, windowTokens: 16_385 },
  { stem: "gpt-3.5", family: gpt4, windowTokens: 16_385 },
  { stem: "gpt", from: 400, family: gpt4, windowTokens: 8_192 },
  { stem: "gpt-4-turbo", family: gpt4, windowTokens: 128_000 },
  { stem: "gpt-4-1106", family: gpt4, windowTokens: 128_000 },
  { stem: "gpt-4-0125", family: gpt4, windowTokens: 128_000 },
  { stem: "gpt-4-32k", family: gpt4, windowTokens: 32_768 },
  { stem: "gpt-4o", family: gpt4o, windowTokens: 128_000 },
  { stem: "chatgpt-4o", family: gpt4o, windowTokens: 128_000 },
  { stem: "gpt", from: 401, family: gpt4o, windowTokens: 1_047_576 },
  { stem: "gpt", from: 405, family: gpt4o, windowTokens: 128_000 },
  { stem: "gpt", from: 500, family: gpt5, windowTokens: 400_000 },
  { stem: "gpt", from: 504, family: gpt5, windowTokens: 1_050_000 },
  { stem: "gpt", from: 505, family: gpt55, windowTokens: 1_050_000 },
  { stem: "gpt-oss", family: gpt4o },
  { stem: "o1", family: gpt4o, windowTokens: 200_000 },
  { stem: "o3", family: gpt4o, windowTokens: 200_000 },
  { stem: "o4", family: gpt4o, windowTokens: 200_000 },
  // The window that Codex writes into its logs: 95 % of 272,000.
  { stem: "codex", family: gpt55, windowTokens: 258_400 },
  ...claudeRows,
  { stem: "gemini", from: 0, family: gemini2, windowTokens: 1_048_576 },
  { stem: "gemini", from: 300, family: gemini3, windowTokens: 1_048_576 },
];

export const modelExamples: readonly string[] = [
  "opus",
  "sonnet",
  "haiku",
  "gemini",
  "claude-opus-5",
  "claude-sonnet-5",
  "claude-haiku-4-5",
  "gpt-5",
  "gpt-5.5",
  "gpt-4o",
  "gpt-4.1",
  "o3",
  "o4-mini",
  "codex",
  "gemini-3-pro",
  "gemini-2.5-pro",
  "opus",
  "sonnet",
  "haiku",
];

export const defaultFamily: ModelFamily = gpt55;

export const defaultWindowTokens = 200_000;
