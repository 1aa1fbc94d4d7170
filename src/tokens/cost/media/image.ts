import type { Confidence } from "../estimation.ts";
import type { ImageSize } from "./image-size.ts";

type ImageRule = (size: ImageSize) => number;

/** Sources: docs/notes/models.md. */
const rules = {
  "claude-4.6": byPatches({ patch: 28, sideMax: 1568, patchesMax: 1568, factor: 1 }),
  "claude-5": byPatches({ patch: 28, sideMax: 2576, patchesMax: 4784, factor: 1 }),
  "gpt-4o": byTiles({ base: 85, perTile: 170 }),
  "gpt-5": byTiles({ base: 70, perTile: 140 }),
  "gpt-5.5": byPatches({ patch: 32, sideMax: 6000, patchesMax: 10_000, factor: 1.2 }),
  "gemini-2": byGeminiTiles,
  "gemini-3": () => 1100,
} as const satisfies Record<string, ImageRule>;

export type ImageRuleId = keyof typeof rules;

// For headers that cannot be read.
const typicalSize: ImageSize = { width: 1024, height: 1024 };

// By each rule one of these costs the most: a square, or the longest strip not scaled to nothing.
const largestSizes: readonly ImageSize[] = [1, 2, 3, 4, 6, 8, 16].flatMap((sides) => [
  { width: 20_000, height: 20_000 * sides },
  { width: 20_000 * sides, height: 20_000 },
]);

/** An unknown size is priced as 1024 × 1024, with low confidence. */
export function imageTokens(
  rule: ImageRuleId,
  size: ImageSize | undefined,
): { readonly tokens: number; readonly confidence: Confidence } {
  if (size === undefined) return { tokens: rules[rule](typicalSize), confidence: "low" };
  return { tokens: rules[rule](size), confidence: "medium" };
}

export function mostImageTokens(rule: ImageRuleId, size: ImageSize | undefined): number {
  return Math.max(...(size ? [size] : largestSizes).map((one) => rules[rule](one)));
}

/** One token per square of `patch` pixels, scaled down to `sideMax`. */
function byPatches(of: {
  readonly patch: number;
  readonly sideMax: number;
  readonly patchesMax: number;
  readonly factor: number;
}): ImageRule {
  return (size) => {
    const { width, height } = shrink(size, of.sideMax / Math.max(size.width, size.height));
    const patches = Math.ceil(width / of.patch) * Math.ceil(height / of.patch);
    return Math.ceil(Math.min(patches, of.patchesMax) * of.factor);
  };
}

/** A base price and a price per 512 × 512 tile, scaled to 2048 and then to a short side of 768. */
function byTiles(of: { readonly base: number; readonly perTile: number }): ImageRule {
  return (size) => {
    const fitted = shrink(size, 2048 / Math.max(size.width, size.height));
    const { width, height } = shrink(fitted, 768 / Math.min(fitted.width, fitted.height));
    return of.base + of.perTile * Math.ceil(width / 512) * Math.ceil(height / 512);
  };
}

function byGeminiTiles(size: ImageSize): number {
  if (size.width <= 384 && size.height <= 384) return 258;
  const { width, height } = shrink(size, 3072 / Math.max(size.width, size.height));
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

function shrink(size: ImageSize, factor: number): ImageSize {
  if (factor >= 1) return size;
  return {
    width: Math.max(1, Math.round(size.width * factor)),
    height: Math.max(1, Math.round(size.height * factor)),
  };
}
