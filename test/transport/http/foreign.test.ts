import { expect, test } from "bun:test";
import { findForeignHeader, findRefusalStatus } from "#transport/http/reject-requests.ts";

const rows: readonly (readonly [
  host: string | undefined,
  origin: string | undefined,
  "Host" | "Origin" | undefined,
])[] = [
  ["127.0.0.1:4321", undefined, undefined],
  ["localhost:4321", "http://localhost:6274", undefined],
  ["LOCALHOST", "https://127.0.0.1", undefined],
  ["[::1]:80", "http://[::1]:80", undefined],
  [undefined, undefined, "Host"],
  ["", undefined, "Host"],
  ["evil.example:4321", undefined, "Host"],
  ["127.0.0.1.evil.example", undefined, "Host"],
  ["localhost.evil.example", undefined, "Host"],
  ["127.0.0.1:4321", "http://evil.example", "Origin"],
  ["127.0.0.1:4321", "http://127.0.0.1.evil.example", "Origin"],
  ["127.0.0.1:4321", "http://evil.example/127.0.0.1", "Origin"],
  ["127.0.0.1:4321", "null", "Origin"],
  ["127.0.0.1:4321", "", "Origin"],
  ["127.0.0.1:4321", "file://localhost", "Origin"],
];

test.each(rows)("Host %p, Origin %p: foreign by %p", (host, origin, foreign) => {
  const headers = new Headers();
  if (host !== undefined) headers.set("host", host);
  if (origin !== undefined) headers.set("origin", origin);
  expect(findForeignHeader(headers)).toBe(foreign);
});

test.each([
  [null, undefined],
  ["none", undefined],
  ["same-origin", undefined],
  ["same-site", "Sec-Fetch-Site"],
  ["cross-site", "Sec-Fetch-Site"],
  ["", "Sec-Fetch-Site"],
  ["none, cross-site", "Sec-Fetch-Site"],
] as const)(
  "Sec-Fetch-Site %p, as browsers send it with images too: foreign by %p",
  (site, foreign) => {
    const headers = new Headers({
      host: "127.0.0.1:4321",
      ...(site !== null && { "sec-fetch-site": site }),
    });
    expect(findForeignHeader(headers)).toBe(foreign);
  },
);

const events = "application/json, Text/Event-Stream";

test.each([
  ["POST", "/mcp", "", undefined],
  ["POST", "/messages?sessionId=1", "", undefined],
  ["GET", "/mcp", events, undefined],
  ["GET", "/mcp", "*/*", 406],
  ["GET", "/mcp", "", 406],
  ["GET", "/other", events, 404],
  ["GET", "/.well-known/oauth-protected-resource/mcp", "", undefined],
  ["GET", "/mcp/.well-known/openid-configuration", "*/*", undefined],
  ["DELETE", "/mcp", "", undefined],
  ["DELETE", "/other", "", 404],
  ["OPTIONS", "/mcp", "", undefined],
  ["OPTIONS", "/other", "", 404],
  ["HEAD", "/mcp", events, 405],
  ["PUT", "/mcp", "", 405],
  ["TRACE", "/mcp", "", 405],
  ["TRACE", "/.well-known/x", "", 405],
] as const)("%s %s, accepting %p, is refused with %p", (method, path, accept, status) => {
  const request = { method, headers: new Headers({ accept }) };
  expect(findRefusalStatus(request, path, path === "/mcp")).toBe(status);
});
