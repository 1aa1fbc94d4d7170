import type { Estimator } from "../cost/estimator.ts";
import { decodeUtf8, makeChunkCounter } from "./bpe.ts";
import { readString } from "#wire/json.ts";

// Characters are UTF-16 code units.
function makeRatioEstimator(id: string, perToken: number, error: string): Estimator {
  const countTokens = (characters: number): number => Math.ceil(characters / perToken);
  return {
    id,
    method: "characters",
    encoding: `characters/${perToken}`,
    confidence: "low",
    error,
    tokensPerTextByteMax: 1,
    // Clients may expand the five bytes `1e20,` to 22 characters, which cost at most eight tokens. In chars4, even the
    // three bytes `{},` of an empty content block cost five tokens.
    tokensPerLineByteMax: 2,
    count: (text) => countTokens(text.length),
    chunks: { countUnits: (utf8) => decodeUtf8(utf8).length, toTokens: countTokens },
  };
}

const charactersPerToken = 4;

const contentCharacters = 40;
const blockCharacters = 20;

export function chars4(): Estimator {
  const error = "38 % too low for tool definitions on current Claude models";
  return {
    ...makeRatioEstimator("chars4", charactersPerToken, error),
    framesCalls: true,
    countContent,
  };
}

// Base64 `data` counts as text.
function countContent(blocks: readonly unknown[]): number {
  let characters = contentCharacters + blockCharacters * blocks.length;
  for (const block of blocks) {
    characters +=
      (readString(block, "text") ?? "").length + (readString(block, "data") ?? "").length;
  }
  return Math.ceil(characters / charactersPerToken);
}

export function chars3Point5(): Estimator {
  const error = "a rule of thumb for JSON and code; its error is not known";
  return makeRatioEstimator("chars3.5", 3.5, error);
}

export function chars3(): Estimator {
  const error = "a rule of thumb for languages other than English; its error is not known";
  return makeRatioEstimator("chars3", 3, error);
}

const shortWordUnits = 3;
const mediumWordUnits = 7;

// The white space that `\s` matches beyond ASCII.
const wideSpaces: ReadonlySet<number> = new Set([
  0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009,
  0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);

export function words(): Estimator {
  return {
    id: "words",
    method: "words",
    encoding: "words",
    confidence: "low",
    error: "a rule of thumb for prose; its error is not known",
    tokensPerTextByteMax: 1,
    // Clients may expand the five bytes `1e20,` to 22 characters, which cost six tokens.
    tokensPerLineByteMax: 2,
    count: countWords,
    chunks: makeChunkCounter(countWords),
  };
}

function countWords(text: string): number {
  let tokens = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (!isSpace(text.charCodeAt(index))) continue;
    tokens += countWord(index - start);
    start = index + 1;
  }
  return tokens + countWord(text.length - start);
}

function countWord(length: number): number {
  if (length === 0) return 0;
  if (length <= shortWordUnits) return 1;
  return Math.ceil(length / (length <= mediumWordUnits ? 5 : 4));
}

function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return wideSpaces.has(unit);
}
