import type { Encoding } from "../tokenizer/tokenizer.ts";
import type { ImageRuleId } from "./media/image.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { isAlphanumeric } from "#kit/text/ascii.ts";

// Models that count the same tokens for the same text or media. Sources: docs/notes/models.md.
export type ModelFamily = {
  readonly id: string;
  readonly estimator: string;
  readonly encoding?: Encoding;
  readonly image: ImageRuleId;
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

// `from`: the first version, 410 for 4.10 and 500 for 5.
type ModelRow = Model & { readonly stem: string; readonly from?: number };

// Users name Claude models with or without `claude`: `claude-opus-5`, `opus`, `sonnet-4-5`.
const claudeRows = ["claude", "opus", "sonnet", "haiku"].flatMap((stem): ModelRow[] => [
  { stem, from: 0, family: claudeLegacy, windowTokens: 200_000 },
  { stem, from: 406, family: claudeLegacy, windowTokens: 1_000_000 },
  { stem, from: 407, family: claude, windowTokens: 1_000_000 },
]);

const modelRows: readonly ModelRow[] = [
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
  // The window that Codex writes to its logs: 95 % of 272,000.
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
];

export const defaultFamily: ModelFamily = gpt55;

export const defaultWindowTokens = 200_000;

export function findModel(rawName: string): Model | undefined {
  const { stem, version } = parseName(rawName);
  const rows = modelRows.filter((row) => row.stem === stem);
  return rows.findLast(({ from = 0 }) => from <= version) ?? rows[0];
}

// The newest major versions in our price list. A higher one is new, or mistyped.
const newestMajors: { readonly [stem: string]: number } = {
  gpt: 6,
  claude: 5,
  opus: 5,
  sonnet: 5,
  haiku: 5,
  gemini: 3,
};

export function isNewerThanKnown(rawName: string): boolean {
  const { stem, version } = parseName(rawName);
  const newest = newestMajors[stem] ?? Infinity;
  return version < Infinity && version >= (newest + 1) * 100;
}

export function findEstimatorFamily(estimator: string): ModelFamily | undefined {
  return modelRows.findLast((row) => row.family.estimator === estimator)?.family;
}

export function normalizeName(rawName: string): string {
  return rawName.slice(0, nameCharactersMax).toLowerCase();
}

function parseName(rawName: string): { readonly stem: string; readonly version: number } {
  const name = normalizeName(rawName);
  for (let start = 0; start < name.length; start += 1) {
    if (start > 0 && isAlphanumeric(name.charCodeAt(start - 1))) continue;
    let longest = "";
    for (const { stem } of modelRows) {
      if (stem.length > longest.length && isWholeWord(name, stem, start)) longest = stem;
    }
    const suffix = name.slice(start + longest.length);
    if (longest !== "") return { stem: longest, version: parseVersion(suffix) };
  }
  return { stem: "", version: Infinity };
}

function isWholeWord(name: string, stem: string, start: number): boolean {
  const end = start + stem.length;
  const isWordEnd = end >= name.length || !isAlphanumeric(name.charCodeAt(end));
  return isWordEnd && name.startsWith(stem, start);
}

const versionPattern = /^(?:[-_ ][a-z]+)*[-_ ]?v?(\d{1,2})(?![\da-z])(?:[.-](\d{1,2})(?![\da-z]))?/;

// `-opus-4-7-20260101` is 407, `-3-5-sonnet` is 305. Ignores dates and sizes (`32k`). Without a version: Infinity.
function parseVersion(suffix: string): number {
  const found = versionPattern.exec(suffix);
  if (found?.[1] === undefined) return Infinity;
  return Number(found[1]) * 100 + Number(found[2] ?? 0);
}
