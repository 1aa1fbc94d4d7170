import { expect, test } from "bun:test";
import { findEvictionPolicy } from "#state/stores/redis/examine-redis.ts";
import { RedisFault, type Reply } from "#state/stores/redis/replies.ts";

const answering = (reply: Reply) => ({
  send: async (): Promise<Exclude<Reply, RedisFault>> => {
    if (reply instanceof RedisFault) throw reply;
    return reply;
  },
});

test.each([
  ["evicts", ["maxmemory", "100", "maxmemory-policy", "allkeys-lru"], "allkeys-lru"],
  ["evicts what expires", ["maxmemory-policy", "volatile-ttl", "maxmemory", "1"], "volatile-ttl"],
  ["no limit", ["maxmemory", "0", "maxmemory-policy", "allkeys-lru"], undefined],
  ["noeviction", ["maxmemory", "100", "maxmemory-policy", "noeviction"], undefined],
  ["hostile", ["maxmemory", "100", "maxmemory-policy", "allkeys-\u001b[1m"], undefined],
  ["not a list", "OK", undefined],
  ["not allowed", new RedisFault("NOPERM"), undefined],
] satisfies [string, Reply, string | undefined][])("%s", async (_, reply, fault) => {
  expect(await findEvictionPolicy(answering(reply))).toBe(fault);
});
