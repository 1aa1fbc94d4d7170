import { listMethod } from "../call-kinds.ts";
import { noSums } from "../sums.ts";
import type { TimeZone } from "../time-zone.ts";
import type { UsageFact } from "../usage-fact.ts";
import type { ImportedConversation } from "./imported-history.ts";
import type { CostedConversation, ServerRents } from "./logged-cost.ts";
import type { RentPart } from "./rent-part.ts";

export function rentFacts(
  { record }: ImportedConversation,
  { servers, periods, priced }: CostedConversation,
  { zone, hasPrices }: { readonly zone: TimeZone; readonly hasPrices: boolean },
): readonly UsageFact[] {
  const beganMs = record === undefined ? 0 : Date.parse(record.ts);
  const began = { beganMs, beganLocal: zone.minuteText(beganMs) };
  const client = record?.client ?? null;
  const all = periods.all;
  return servers.flatMap((rents) =>
    [...rents.turns.keys()].flatMap((number): UsageFact[] => {
      const period = all.get(number);
      if (!period) return [];
      const { server, sessionId: id, estimation } = rents.server;
      const { day, model } = period;
      const session = { id, ...began, client, model, machine: null, estimation };
      const place = { session, range: 0, day, server, method: listMethod, tool: null, model };
      const part = rentPart(rents, number);
      const rent = hasPrices ? { ...part, nanoDollars: amountOf(rents, number, priced) } : part;
      return [{ ...place, sums: noSums(), rent }];
    }),
  );
}

function rentPart({ rents, turns }: ServerRents, number: number): RentPart {
  const requests = turns.get(number) ?? 0;
  return {
    requests,
    unknownRequests: rents ? 0 : requests,
    tokens: rents?.get(number)?.tokens ?? 0,
  };
}

/** Null if nothing is known about the definitions, or the turns have no price. */
function amountOf(
  { rents }: ServerRents,
  number: number,
  priced: ReadonlySet<number>,
): number | null {
  return rents && priced.has(number) ? (rents.get(number)?.cost ?? 0) : null;
}
