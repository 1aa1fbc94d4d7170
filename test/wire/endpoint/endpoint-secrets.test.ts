import { expect, test } from "bun:test";
import {
  listEndpointSecrets,
  parseEndpoint,
  type HeaderPair,
} from "#wire/endpoint/mcp-endpoint.ts";

const listSecrets = (url: string, headers: readonly HeaderPair[] = []) => [
  ...listEndpointSecrets(parseEndpoint(url, headers)),
];

test("an endpoint without headers and query has none", () => {
  expect(listSecrets("https://host/a/long/path")).toEqual([]);
});

test("values of headers and of the query are secrets, with and without a scheme", () => {
  const headers = [
    ["Authorization", "Bearer abcdefgh"],
    ["X-Key", " 12345678 "],
    ["X-Team", "garden"],
  ] as const;
  expect(listSecrets("https://host/?key=a%20long%20key&n=1", headers)).toEqual([
    ["Authorization", "Bearer abcdefgh"],
    ["Authorization_2", "abcdefgh"],
    ["X-Key", "12345678"],
    ["key", "a long key"],
  ]);
});

test("so are the password of a URL, and the header that it becomes", () => {
  const basic = Buffer.from("me:a-password").toString("base64");
  expect(listSecrets("https://me:a-password@host/")).toEqual([
    ["authorization", `Basic ${basic}`],
    ["authorization_2", basic],
    ["password", "a-password"],
  ]);
});
