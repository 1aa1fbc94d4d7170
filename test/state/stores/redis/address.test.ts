import { describe, expect, test } from "bun:test";
import {
  redisUrlCharactersMax,
  parseRedisAddress,
  formatHostPort,
} from "#state/stores/redis/address.ts";
import { thrownBy } from "../../../support/folder.ts";

const plain = {
  host: "cache",
  port: 6379,
  isEncrypted: false,
  user: undefined,
  password: undefined,
  database: 0,
};

describe("parseRedisAddress", () => {
  test.each([
    ["redis://cache", {}],
    ["redis://cache/", {}],
    ["redis://cache:7000/3", { port: 7000, database: 3 }],
    ["rediss://cache", { isEncrypted: true }],
    ["redis://:s3%3Ac%2Fret%40@cache", { password: "s3:c/ret@" }],
    ["REDIS://cache", {}],
    ["redis://ann:word@cache", { user: "ann", password: "word" }],
    ["redis://[::1]:7000", { host: "::1", port: 7000 }],
  ])("%s", (url, message) => {
    expect(parseRedisAddress(url)).toEqual({ ...plain, ...message });
  });

  test.each([
    ["cache:6379", "is not a URL that begins with redis://"],
    ["http://u:canary@cache", "is not a URL that begins with redis://"],
    ["redis:cache", "is not a URL that begins with redis://"],
    ["redis://u:canary@", "the host or the port is invalid"],
    ["redis://:canary@cache:70000", "the host or the port is invalid"],
    ["redis://:canary@cache:0", "the host or the port is invalid"],
    ["redis://u:can/ary@cache:6379", 'a "/", "?" or "#" in the user or the password'],
    ["redis://u:canary@cache/one", "the database must be a number"],
    ["redis://u:canary@cache/123456", "at most five digits"],
    ["redis://u:canary@cache?x=1", "a query or a fragment"],
    ["redis://u:%canary@cache", "%25"],
    [`redis://u:canary@${"c".repeat(redisUrlCharactersMax)}`, "longer than 2048 characters"],
  ])("rejects %s and does not quote it", (url, reason) => {
    const sentence = thrownBy(() => parseRedisAddress(url));
    expect(sentence).toContain("Cannot read the URL of --counters");
    expect(sentence).toContain(reason);
    expect(sentence).not.toContain("canary");
  });
});

describe("formatHostPort", () => {
  test("is host and port alone", () => {
    expect(formatHostPort(parseRedisAddress("redis://u:p@cache"))).toBe("cache:6379");
    expect(formatHostPort(parseRedisAddress("redis://u:p@[::1]:1"))).toBe("[::1]:1");
  });
});
