import { listMethod } from "../call-kinds.ts";
import { noSums } from "../sums.ts";
import type { TimeZone } from "../time-zone.ts";
import type { UsageFact } from "../usage-fact.ts";
import type { ImportedConversation } from "./imported-history.ts";
import type { CostedConversation } from "./logged-cost.ts";
import type { RentPart } from "./rent-part.ts";

/** The facts of servers that were there in a conversation: one for each day and model of its turns. */
export function rentFacts(
  { record }: ImportedConversation,
  { servers, periods, priced }: CostedConversation,
  { zone, hasPrices }: { readonly zone: TimeZone; readonly hasPrices: boolean },
): readonly UsageFact[] {
  const beganMs = record === undefined ? 0 : Date.parse(record.ts);
  const all = periods.all;
  return servers.flatMap(({ server: { server, sessionId, estimation }, rents, turns }) =>
    [...turns].flatMap(([number, requests]): UsageFact[] => {
      const period = all.get(number);
      if (!period) return [];
      const rent = rents?.get(number);
      const { day, model } = period;
      const session = {
        id: sessionId,
        beganMs,
        beganLocal: zone.minuteText(beganMs),
        client: record?.client ?? null,
        model,
        estimation,
      };
      const part: RentPart = {
        requests,
        unknownRequests: rents ? 0 : requests,
        tokens: rent?.tokens ?? 0,
        ...(hasPrices ? { nanoDollars: priced.has(number) ? (rent?.cost ?? 0) : null } : {}),
      };
      const place = { session, range: 0, day, server, method: listMethod, tool: null, model };
      return [{ ...place, sums: noSums(), rent: part }];
    }),
  );
}
