import type { OpenStores, StoreOptions } from "./store-options.ts";
import { type RedisPlace, shownAddress } from "./redis/address.ts";
import { RedisCounters } from "./redis/redis-counters.ts";
import { RedisLink } from "./redis/redis-link.ts";
import { storeSentences } from "./sentences.ts";

export function openRedisCounters(
  place: RedisPlace,
  { holder, policy, report }: Pick<StoreOptions, "holder" | "policy" | "report">,
): Omit<OpenStores, "session"> {
  const link = new RedisLink({ ...place, policy, report });
  const shared = new RedisCounters({ link, holder, policy });
  return {
    shared,
    close: async () => {
      const isWritten = await shared.close();
      if (!isWritten) report(storeSentences.redisUnsaved(shownAddress(place.address)), "");
    },
    save: () => shared.flush(),
    nameServer: (owner, name) => link.nameServer(owner, name),
    connect: (answered) => shared.connect(answered),
  };
}
