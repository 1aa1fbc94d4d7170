import { median } from "../statistics.ts";
import { bombNames, makeBomb } from "./bombs.ts";
import type { Count } from "./peers.ts";
import { bytesIn, msToCount, toPayloads } from "./speed.ts";
import { benchTexts } from "./texts.ts";

const bombBytes = 1_000_000;

/** Rounds before those that are measured: the compiler beside them is done, and the caches hold what they can. */
const warmUps = 3;
const rounds = 15;

/**
 * Time per byte of each bomb, divided by that of prose: the median of some rounds, in each of which the prose was counted
 * directly before the bomb. Other programs slow both down, so the ratio holds on a busy machine. The prose has been
 * counted before, which makes it faster and the ratio stricter.
 */
export function measureBombRatios(count: Count): Map<string, number> {
  const prose = toPayloads(benchTexts().get("prose") ?? "");
  const ratios = bombNames.map((name): [string, number] => {
    const bomb = [makeBomb(name, bombBytes)];
    const round = (): number => {
      const proseNs = nsPerByte(count, prose);
      return nsPerByte(count, bomb) / proseNs;
    };
    for (let warmUp = 0; warmUp < warmUps; warmUp++) round();
    return [name, median(Array.from({ length: rounds }, round))];
  });
  return new Map(ratios);
}

function nsPerByte(count: Count, texts: readonly string[]): number {
  return (msToCount(count, texts) * 1e6) / bytesIn(texts);
}
