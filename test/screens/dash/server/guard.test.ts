import { describe, expect, test } from "bun:test";
import {
  type GuardedRequest,
  judgeRequest,
  dashAddressCharactersMax,
} from "#screens/dash/server/server.ts";

const keep = { port: 4321, token: "secret-token" };

function guarded(told: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    method: "GET",
    url: "http://127.0.0.1:4321/",
    host: "127.0.0.1:4321",
    origin: null,
    fetchSite: null,
    givenToken: null,
    keptToken: keep.token,
    ...told,
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
    [{ keptToken: null, givenToken: keep.token }, "enter"],
    [{ fetchSite: "cross-site", keptToken: null, givenToken: keep.token }, "enter"],
    [{ host: null }, 403],
    [{ host: "evil.example" }, 403],
    [{ host: "evil.example:4321", givenToken: keep.token }, 403],
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
    [{ method: "DELETE", givenToken: keep.token }, 405],
    [{ keptToken: null }, 401],
    [{ keptToken: "" }, 401],
    [{ keptToken: "secret-tokem" }, 401],
    [{ keptToken: "secret-token-longer" }, 401],
    [{ keptToken: null, givenToken: "secret" }, 401],
    [{ url: `http://127.0.0.1:4321/${"a".repeat(dashAddressCharactersMax)}` }, 414],
  ];
  test.each(rows.map(([told, verdict], at) => [at, verdict, told] as const))(
    "row %d: %p",
    (_, verdict, told) => {
      const judged = judgeRequest(guarded(told), keep);
      expect(typeof judged === "string" ? judged : judged.status).toBe(verdict);
    },
  );
});
