import { describe, expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { redisCause } from "#redis-sentences.ts";

describe("the cause of a failure", () => {
  test.each([
    ["ECONNREFUSED", "connection refused: is it running, and is the port right?"],
    ["MOVED", "it is one node of a cluster; use an endpoint that hides the nodes"],
    ["WRONGPASS", "it rejects the user or the password"],
    ["ERR_SSL_NO_SHARED_CIPHER", "TLS failed with ERR_SSL_NO_SHARED_CIPHER"],
    ["EACCES", "permission denied"],
    ["TLS_TIMEOUT", "it does not answer to TLS in time; a Redis without TLS requires redis://"],
    ["NO_DATABASE", "it has no database of the number in the URL"],
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
    "Cannot use the budget counters in the Redis at cache:6379 (its memory is full); calls under these budgets are refused until the counters can be reached again",
  );
});

test("every code of our own has words", () => {
  const codes = [
    "CLOSED_AT_START",
    "CLOSED_TLS",
    "TLS_TIMEOUT",
    "NO_PASSWORD",
    "NO_DATABASE",
    "NOPERM_KEYS",
    "eviction",
  ];
  for (const code of codes) expect(redisCause(code)).not.toBe(code);
});

test("commands that are forbidden are named", () => {
  expect(sentences.redisForbids("cache:1", ["HSET", "TIME"])).toBe(
    "The Redis at cache:1 does not let its user run HSET, TIME, which budget counters need",
  );
});
