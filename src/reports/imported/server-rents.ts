import { addRents, type RentPart } from "./rent-part.ts";
import { rentMeasures } from "../row-group.ts";
import type { ServerRent } from "../usage-report.ts";
import type { UsageFact } from "../usage-fact.ts";

export function serverRents(
  facts: readonly UsageFact[],
  all: readonly UsageFact[],
): readonly ServerRent[] {
  const rents = new Map<string, RentPart>();
  for (const { server, rent } of facts) {
    const known = rents.get(server);
    if (rent) rents.set(server, known ? addRents(known, rent) : rent);
  }
  const calls = new Map<string, number>();
  for (const { server, sums, range } of all) {
    if (range === 0) calls.set(server, (calls.get(server) ?? 0) + sums.calls);
  }
  return [...rents]
    .toSorted(([one, { tokens }], [other, its]) => its.tokens - tokens || (one < other ? -1 : 1))
    .map(([server, rent]) => ({ server, calls: calls.get(server) ?? 0, ...rentMeasures(rent) }));
}
