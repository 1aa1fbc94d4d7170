import { describe, expect, test } from "bun:test";
import {
  keepEndToEnd,
  makeHeadersForReplacedBody,
  makeRequestHeaders,
  dropUnsafeHeaders,
  challengeCharactersMax,
} from "#transport/http/headers.ts";

const makeHeaders = (rows: readonly (readonly [string, string])[]) => {
  const headers = new Headers();
  for (const [name, value] of rows) headers.append(name, value);
  return headers;
};

test("headers about the connection stay on it, and those that Connection names", () => {
  const headers = makeHeaders([
    ["Connection", "keep-alive, X-Hop , not a name"],
    ["Keep-Alive", "timeout=5"],
    ["Transfer-Encoding", "chunked"],
    ["Upgrade", "h2c"],
    ["X-Hop", "1"],
    ["X-End", "2"],
  ]);
  expect([...keepEndToEnd(headers)]).toEqual([["x-end", "2"]]);
  expect([...makeRequestHeaders(headers, [])]).toEqual([["x-end", "2"]]);
});

test("any number of names in Connection are looked for at once", () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `x-${at}`);
  const rows = names.slice(0, 1_000).map((name) => [name, "1"] as const);
  const headers = makeHeaders([["Connection", names.join()], ...rows, ["x-end", "2"]]);
  expect([...keepEndToEnd(headers)]).toEqual([["x-end", "2"]]);
});

test("a request is for the server's host, of a length of its own, with our headers in place of others", () => {
  const headers = makeHeaders([
    ["Host", "127.0.0.1:1"],
    ["Content-Length", "7"],
    ["Expect", "100-continue"],
    ["Authorization", "theirs"],
  ]);
  const configured = [["Authorization", "Bearer ours"]] as const;
  expect([...makeRequestHeaders(headers, configured)]).toEqual([["authorization", "Bearer ours"]]);
  expect(keepEndToEnd(makeHeaders([["content-length", "7"]])).get("content-length")).toBe("7");
});

test("where the body is ours, nothing about that of the server is left", () => {
  const headers = makeHeaders([
    ["Content-Type", "text/event-stream"],
    ["Content-Length", "9"],
    ["Content-Encoding", "gzip"],
    ["ETag", '"1"'],
    ["WWW-Authenticate", "Bearer"],
    ["Connection", "close"],
  ]);
  const type: [string, string] = ["content-type", "application/json"];
  const challenge: [string, string] = ["www-authenticate", "Bearer"];
  expect([...makeHeadersForReplacedBody({ status: 401, headers })]).toEqual([type, challenge]);
  expect([...makeHeadersForReplacedBody({ status: 403, headers })]).toEqual([type]);
});

const isOwn = (session: string): boolean => session === "own";

describe("dropUnsafeHeaders", () => {
  test.each([
    [[["mcp-session-id", "own"]]],
    [[["www-authenticate", `Bearer ${"x".repeat(challengeCharactersMax - 7)}`]]],
    [[["x", "y"]]],
  ] as const)("%j stay as they are", (pairs) => {
    const headers = makeHeaders(pairs);
    expect(dropUnsafeHeaders(headers, isOwn)).toBe(headers);
  });

  test.each([
    ["mcp-session-id", "other"],
    ["www-authenticate", `Bearer ${"x".repeat(challengeCharactersMax - 6)}`],
  ] as const)("%s: %s is left out", (name, value) => {
    const headers = makeHeaders([
      [name, value],
      ["x", "y"],
    ]);
    expect([...dropUnsafeHeaders(headers, isOwn)]).toEqual([["x", "y"]]);
  });
});
