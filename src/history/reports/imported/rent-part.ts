export type RentPart = {
  readonly requests: number;
  readonly unknownRequests: number;
  readonly tokens: number;
  /** Billionths of a dollar; null where no request has a price, absent when costs are not wanted. */
  readonly nanoDollars?: number | null;
};

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
