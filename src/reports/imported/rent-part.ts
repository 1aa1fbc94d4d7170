/** Definitions of servers in the requests of conversations. Adds up. */
export type RentPart = {
  /** Requests of conversations in which the server was there. */
  readonly requests: number;
  /** Those of servers whose definitions are not known. */
  readonly unknownRequests: number;
  /** Tokens of definitions in all others together. */
  readonly tokens: number;
  /** Billionths of a dollar; null where no request has a price, absent where none is wanted. */
  readonly nanoDollars?: number | null;
};

/** The sum of two parts. */
export function addRents(one: RentPart, other: RentPart): RentPart {
  return {
    requests: one.requests + other.requests,
    unknownRequests: one.unknownRequests + other.unknownRequests,
    tokens: one.tokens + other.tokens,
    ...addedDollars(one.nanoDollars, other.nanoDollars),
  };
}

function addedDollars(
  one: number | null | undefined,
  other: number | null | undefined,
): Pick<RentPart, "nanoDollars"> {
  if (one === undefined && other === undefined) return {};
  const amounts = [one, other].filter((amount) => typeof amount === "number");
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return { nanoDollars: amounts.length === 0 ? null : sum };
}
