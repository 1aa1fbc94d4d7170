import { describe, expect, test } from "bun:test";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import { openRedisCounters } from "#state/stores/redis/redis-counters.ts";

describe("openRedisCounters", () => {
  test("does not wait for Redis; its end says when spending is missing there", async () => {
    const reported: string[] = [];
    const location = { address: parseRedisAddress("redis://127.0.0.1:1"), fleet: "t" };
    const report = (sentence: string): number => reported.push(sentence);
    const stores = openRedisCounters(location, { holder: "one", policy: "local", report });
    const counter = { key: "k", per: "day", limit: 9 } as const;
    stores.shared.hold(counter, 4, Date.now(), true);
    const hold = stores.shared.hold(counter, 4, Date.now(), true);
    if (hold) stores.shared.settle(hold, 4);
    stores.save?.();
    await stores.close?.();
    expect(reported.at(-1)).toContain("the counters there do not include this spending");
  });
});
