import type { LoggedCost } from "./logged-cost.ts";

/** The part of a fact's calls that logs of clients have. Adds up. */
export type LoggedPart = {
  /** Calls that only a log has. */
  readonly imported: number;
  /** Calls that are on the wire and in a log. */
  readonly paired: number;
  readonly carriedTokens: number;
  readonly rereads: number;
  /** Calls whose cost is that of their turns, with the tokens that the fact has of them. */
  readonly priced: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly nanoDollars: number;
  };
};

/** Of no calls. */
export const noLoggedPart: LoggedPart = {
  imported: 0,
  paired: 0,
  carriedTokens: 0,
  rereads: 0,
  priced: { calls: 0, inputTokens: 0, outputTokens: 0, nanoDollars: 0 },
};

/** Tokens of a call as a fact has them. */
type FactTokens = { readonly input_tokens: number; readonly output_tokens: number };

/** The part of one call. */
export function loggedPartOf(
  kind: "imported" | "paired",
  { input_tokens: input, output_tokens: output }: FactTokens,
  cost: LoggedCost | undefined,
): LoggedPart {
  const nanoDollars = cost?.nanoDollars ?? null;
  return {
    ...noLoggedPart,
    [kind]: 1,
    carriedTokens: cost?.carriedTokens ?? 0,
    rereads: cost?.rereads ?? 0,
    ...(nanoDollars === null
      ? {}
      : { priced: { calls: 1, inputTokens: input, outputTokens: output, nanoDollars } }),
  };
}

/** The sum of two parts. */
export function addLoggedParts(one: LoggedPart, other: LoggedPart): LoggedPart {
  const [first, second] = [one.priced, other.priced];
  return {
    imported: one.imported + other.imported,
    paired: one.paired + other.paired,
    carriedTokens: one.carriedTokens + other.carriedTokens,
    rereads: one.rereads + other.rereads,
    priced: {
      calls: first.calls + second.calls,
      inputTokens: first.inputTokens + second.inputTokens,
      outputTokens: first.outputTokens + second.outputTokens,
      nanoDollars: first.nanoDollars + second.nanoDollars,
    },
  };
}
