import { expect, test } from "bun:test";
import { isHttpUrl, parseHttpUrl, extractCredentials } from "#kit/text/http-url.ts";

test.each(["", "localhost:4318", "file:///etc/passwd", "javascript:0", "http://", "unix:/x", "\0"])(
  "%p is not a URL of HTTP",
  (text) => {
    expect(parseHttpUrl(text)).toBe(undefined);
  },
);

test("parses a URL of HTTP with its path and query", () => {
  expect(parseHttpUrl("https://host:8443/mcp?a=1")?.href).toBe("https://host:8443/mcp?a=1");
});

test.each([
  ["http://me%40x:p%25%zz@host/a?b#c", "http://host/a?b", "me@x:p%25%zz"],
  ["http://token@host/", "http://host/", "token:"],
  ["http://host/#c", "http://host/", undefined],
])("%s is %s with the credentials %p", (text, href, credentials) => {
  const { url, authorization } = extractCredentials(new URL(text));
  expect(url.href).toBe(href);
  const basic = credentials === undefined ? undefined : Buffer.from(credentials).toString("base64");
  expect(authorization).toBe(basic === undefined ? undefined : `Basic ${basic}`);
});

test("a word is meant as a URL of HTTP, well-formed or not", () => {
  const texts = ["https://host/mcp", "HTTP://", "httpx://host", "host/http://", "npx"];
  expect(texts.map(isHttpUrl)).toEqual([true, true, false, false, false]);
});
