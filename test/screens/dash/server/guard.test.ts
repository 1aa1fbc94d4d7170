import { describe, expect, test } from "bun:test";
import {
  type GuardedRequest,
  judgeRequest,
  dashAddressCharactersMax,
} from "#screens/dash/server/server.ts";

const keep = { port: 4321, token: "secret-token" };

function judge(overrides: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    method: "GET",
    url: "http://127.0.0.1:4321/",
    host: "127.0.0.1:4321",
    origin: null,
    fetchSite: null,
    urlToken: null,
    storedToken: keep.token,
    ...overrides,
  };
}

describe("judgeRequest", () => {
  const rows: readonly (readonly [Partial<GuardedRequest>, "enter" | "pass" | number])[] = [
    [{}, "pass"],
    [{ host: "localhost:4321" }, "pass"],
    [{ host: "LOCALHOST:4321" }, "pass"],
    [{ origin: "http://127.0.0.1:4321" }, "pass"],
    [{ origin: "http://localhost:4321" }, "pass"],
    [{ fetchSite: "same-origin" }, "pass"],
    [{ fetchSite: "none" }, "pass"],
    [{ method: "HEAD" }, 405],
    [{ storedToken: null, urlToken: keep.token }, "enter"],
    [{ fetchSite: "cross-site", storedToken: null, urlToken: keep.token }, "enter"],
    [{ host: null }, 403],
    [{ host: "evil.example" }, 403],
    [{ host: "evil.example:4321", urlToken: keep.token }, 403],
    [{ host: "127.0.0.1" }, 403],
    [{ host: "127.0.0.1:4322" }, 403],
    [{ host: "[::1]:4321" }, 403],
    [{ host: "127.0.0.1:4321.evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://evil.example" }, 403],
    [{ origin: "https://127.0.0.1:4321" }, 403],
    [{ origin: "http://127.0.0.1:4321.evil.example" }, 403],
    [{ origin: "http://127.0.0.1:4321/" }, 403],
    [{ fetchSite: "cross-site" }, 403],
    [{ fetchSite: "same-site" }, 403],
    [{ method: "POST" }, 405],
    [{ method: "OPTIONS" }, 405],
    [{ method: "DELETE", urlToken: keep.token }, 405],
    [{ storedToken: null }, 401],
    [{ storedToken: "" }, 401],
    [{ storedToken: "secret-tokem" }, 401],
    [{ storedToken: "secret-token-longer" }, 401],
    [{ storedToken: null, urlToken: "secret" }, 401],
    [{ url: `http://127.0.0.1:4321/${"a".repeat(dashAddressCharactersMax)}` }, 414],
  ];
  test.each(rows.map(([request, verdict], at) => [at, verdict, request] as const))(
    "row %d: %p",
    (_, verdict, told) => {
      const judged = judgeRequest(judge(told), keep);
      expect(typeof judged === "string" ? judged : judged.status).toBe(verdict);
    },
  );
});
