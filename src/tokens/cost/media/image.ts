import type { MediaEstimate } from "../estimator.ts";
import type { ImageSize } from "./readable-images.ts";

type ImageRule = (size: ImageSize) => number;

// Sources: docs/notes/models.md.
const rules = {
  "claude-4.6": makePatchRule({ patch: 28, sideMax: 1568, patchesMax: 1568, factor: 1 }),
  "claude-5": makePatchRule({ patch: 28, sideMax: 2576, patchesMax: 4784, factor: 1 }),
  "gpt-4o": makeTileRule({ base: 85, perTile: 170 }),
  "gpt-5": makeTileRule({ base: 70, perTile: 140 }),
  "gpt-5.5": makePatchRule({ patch: 32, sideMax: 6000, patchesMax: 10_000, factor: 1.2 }),
  "gemini-2": countGeminiTiles,
  "gemini-3": () => 1100,
} as const satisfies Record<string, ImageRule>;

export type ImageRuleId = keyof typeof rules;

const typicalSize: ImageSize = { width: 1024, height: 1024 };

// Each rule returns its maximum for one of these shapes, from a square to a strip of 16:1.
const largestSizes: readonly ImageSize[] = [1, 2, 3, 4, 6, 8, 16].flatMap((sides) => [
  { width: 20_000, height: 20_000 * sides },
  { width: 20_000 * sides, height: 20_000 },
]);

export function estimateImage(rule: ImageRuleId, size: ImageSize | undefined): MediaEstimate {
  if (size === undefined) return { tokens: rules[rule](typicalSize), confidence: "low" };
  return { tokens: rules[rule](size), confidence: "medium" };
}

export function boundImage(rule: ImageRuleId, size: ImageSize | undefined): number {
  return Math.max(...(size ? [size] : largestSizes).map((candidate) => rules[rule](candidate)));
}

// Scales the longer side down to `sideMax`, then counts `factor` tokens for each square with sides of `patch` pixels.
function makePatchRule(terms: {
  readonly patch: number;
  readonly sideMax: number;
  readonly patchesMax: number;
  readonly factor: number;
}): ImageRule {
  return (size) => {
    const { width, height } = shrink(size, terms.sideMax / Math.max(size.width, size.height));
    const patches = Math.ceil(width / terms.patch) * Math.ceil(height / terms.patch);
    return Math.ceil(Math.min(patches, terms.patchesMax) * terms.factor);
  };
}

function makeTileRule(terms: { readonly base: number; readonly perTile: number }): ImageRule {
  return (size) => {
    const fitted = shrink(size, 2048 / Math.max(size.width, size.height));
    const { width, height } = shrink(fitted, 768 / Math.min(fitted.width, fitted.height));
    return terms.base + terms.perTile * Math.ceil(width / 512) * Math.ceil(height / 512);
  };
}

function countGeminiTiles(size: ImageSize): number {
  if (size.width <= 384 && size.height <= 384) return 258;
  const { width, height } = shrink(size, 3072 / Math.max(size.width, size.height));
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

export function shrink(size: ImageSize, factor: number): ImageSize {
  if (factor >= 1) return size;
  return {
    width: Math.max(1, Math.round(size.width * factor)),
    height: Math.max(1, Math.round(size.height * factor)),
  };
}
