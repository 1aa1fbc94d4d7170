import { describe, expect, test } from "bun:test";
import { sentences } from "#errors.ts";

describe("the cause of a failure", () => {
  test.each([
    ["ECONNREFUSED", "connection refused; is it running, and is the port right?"],
    ["MOVED", "it is one node of a cluster; use an endpoint that hides the nodes"],
    ["WRONGPASS", "it rejects the user or the password"],
    ["EACCES", "permission denied"],
    ["not an answer of Redis", "not an answer of Redis"],
    ["constructor", "constructor"],
  ])("%s", (reason, words) => {
    expect(sentences.redisUnreadable("cache:1", reason)).toBe(
      `Cannot read the budget counters in the Redis at cache:1: ${words}`,
    );
  });
});

test("a failure names the Redis, the cause and the consequence", () => {
  expect(sentences.redisFailed("cache:6379", "OOM", "closed")).toBe(
    "Cannot use the budget counters in the Redis at cache:6379 (its memory is full); calls under these budgets are refused until they can be reached",
  );
});
