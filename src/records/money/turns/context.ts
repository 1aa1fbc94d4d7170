import type { NanoDollars, TurnPrices } from "./turn-prices.ts";

/** Token positions. Prompts grow at their end, so a part keeps its position until the context starts over or is cut. */
export type ContextPart = { readonly start: number; end: number };

export type Prompt = {
  readonly size: number;
  readonly cached: number;
  readonly prices: TurnPrices;
};

/** Cuts off what no longer is in the prompt, for good. */
export function chargePart(part: ContextPart, { size, cached, prices }: Prompt): NanoDollars {
  part.end = Math.max(part.start, Math.min(part.end, size));
  const border = Math.max(part.start, Math.min(part.end, cached));
  return Math.floor((border - part.start) * prices.cached + (part.end - border) * prices.fresh);
}

/** All are shrunk alike when they exceed the room. */
export function shrinkTo(room: number, sizes: readonly number[]): readonly number[] {
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  if (whole <= Math.max(0, room)) return sizes;
  const factor = Math.max(0, room) / whole;
  return sizes.map((size) => Math.floor(size * factor));
}

export function stackFrom(start: number, sizes: readonly number[]): ContextPart[] {
  let next = start;
  return sizes.map((size) => {
    const part = { start: next, end: next + size };
    next = part.end;
    return part;
  });
}
