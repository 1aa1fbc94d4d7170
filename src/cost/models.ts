import { nameCharactersMax } from "#limits.ts";
import { isAlphanumeric } from "#wire/ascii.ts";
import type { Encoding } from "#tokenizer/tokenizer.ts";
import type { ImageRuleId } from "./image.ts";

/** Models that are priced alike. Sources of every fact: docs/notes/models.md. */
export type ModelFamily = {
  readonly id: string;
  /** Id of the estimator that counts for it. */
  readonly estimator: string;
  /** Its vocabulary, where that is public: then a count with it is exact. */
  readonly encoding?: Encoding;
  readonly image: ImageRuleId;
  /** Where the maker publishes a price for sound. */
  readonly audioTokensPerSecond?: number;
};

export type Model = {
  readonly family: ModelFamily;
  /** Tokens that fit into one request; undefined where it is not known. */
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

/** Version as a number that sorts: 4.10 is 410, 5 is 500. */
type Row = Model & { readonly stem: string; readonly from?: number };

/** Every row of a stem in rising version; a name without a version is the newest of its stem. */
const rows: readonly Row[] = [
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
  { stem: "codex", family: gpt55 },
  { stem: "claude", from: 0, family: claudeLegacy, windowTokens: 200_000 },
  { stem: "claude", from: 406, family: claudeLegacy, windowTokens: 1_000_000 },
  { stem: "claude", from: 407, family: claude, windowTokens: 1_000_000 },
  { stem: "gemini", from: 0, family: gemini2, windowTokens: 1_048_576 },
  { stem: "gemini", from: 300, family: gemini3, windowTokens: 1_048_576 },
];

/** Clients that bring a model of their own maker, by the beginning of their name. */
const clientStems = ["codex", "claude", "gemini"];

/** What a model's name says about its prices; the longest and earliest stem wins, then the version. */
export function findModel(rawName: string): Model | undefined {
  const name = rawName.slice(0, nameCharactersMax).toLowerCase();
  const stem = findStem(name);
  if (stem === undefined) return undefined;
  const version = versionAfter(name.slice(stem.end));
  const ofStem = rows.filter((row) => row.stem === stem.text);
  return ofStem.findLast((row) => (row.from ?? 0) <= version) ?? ofStem[0];
}

/** The newest family of a client's maker, for clients that are one maker's own; else undefined. */
export function findClientFamily(rawName: string): ModelFamily | undefined {
  const name = rawName.slice(0, nameCharactersMax).toLowerCase();
  const stem = clientStems.find((text) => name.startsWith(text));
  return stem === undefined ? undefined : findModel(stem)?.family;
}

/** The newest family that an estimator was made for; undefined for estimators that know no model. */
export function findEstimatorFamily(estimator: string): ModelFamily | undefined {
  return rows.findLast((row) => row.family.estimator === estimator)?.family;
}

/** Prices of a model that nobody named. */
export const defaultFamily: ModelFamily = gpt55;

/** Window of a model that nobody named, in tokens. */
export const defaultWindowTokens = 200_000;

/** First place where a stem stands between two ends of words, and the longest stem there. */
function findStem(name: string): { readonly text: string; readonly end: number } | undefined {
  for (let start = 0; start < name.length; start += 1) {
    if (start > 0 && isAlphanumeric(name.charCodeAt(start - 1))) continue;
    let longest = "";
    for (const { stem } of rows) {
      if (stem.length > longest.length && standsAt(name, stem, start)) longest = stem;
    }
    if (longest !== "") return { text: longest, end: start + longest.length };
  }
  return undefined;
}

function standsAt(name: string, stem: string, start: number): boolean {
  const end = start + stem.length;
  return (
    name.startsWith(stem, start) && !(end < name.length && isAlphanumeric(name.charCodeAt(end)))
  );
}

/**
 * `-opus-4-7-20260101` → 407, `-4.1-mini` → 401, `-3-5-sonnet` → 305; numbers of three and more digits
 * are dates or sizes. No version: Infinity.
 */
function versionAfter(rest: string): number {
  const found = /^(?:[-_ ][a-z]+)*[-_ ]?v?(\d{1,2})(?![\da-z])(?:[.-](\d{1,2})(?![\da-z]))?/.exec(
    rest,
  );
  if (found?.[1] === undefined) return Infinity;
  return Number(found[1]) * 100 + Number(found[2] ?? 0);
}
