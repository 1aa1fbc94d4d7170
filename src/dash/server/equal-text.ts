import { timingSafeEqual } from "node:crypto";

/** Takes the same time wherever the texts differ. */
export function isEqualText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
