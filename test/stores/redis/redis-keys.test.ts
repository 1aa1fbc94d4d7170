import { expect, test } from "bun:test";
import { RedisKeys } from "#stores/redis/redis-keys.ts";

test("all keys of a fleet have one hash tag, and none is as long as a tool's name", () => {
  const keys = new RedisKeys("one");
  const counter = keys.counter("x".repeat(1_000_000));
  const all = [keys.index, keys.servers, counter, keys.holders(counter)];
  for (const key of all) {
    expect(key).toStartWith("mcp-meter:{one}:");
    expect(key.length).toBeLessThan(120);
  }
  expect(new Set(all).size).toBe(all.length);
});
