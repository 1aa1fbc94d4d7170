import { timingSafeEqual } from "node:crypto";

/** True for equal texts; the time that it takes says nothing about the place of a difference. */
export function isEqualText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
