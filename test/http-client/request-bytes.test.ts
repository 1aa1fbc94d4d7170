import { expect, test } from "bun:test";
import { requestHead } from "#http-client/request-bytes.ts";
import { bytesOf } from "../support/bytes.ts";

const headOf = (request: Partial<Parameters<typeof requestHead>[0]>) =>
  Buffer.from(
    requestHead({
      method: "POST",
      url: new URL("http://localhost:8080/mcp?a=1#b"),
      headers: new Headers(),
      body: undefined,
      ...request,
    }),
  ).toString("latin1");

test("the line of the request, its host and length, and the headers unchanged", () => {
  const headers = new Headers({ accept: "a, b", "x-name": "\xe9", host: "other", connection: "x" });
  expect(headOf({ headers, body: bytesOf("four") })).toBe(
    "POST /mcp?a=1 HTTP/1.1\r\nhost: other\r\nconnection: keep-alive\r\naccept: a, b\r\nx-name: \xe9\r\ncontent-length: 4\r\n\r\n",
  );
});

test("the host of the address, where no header names another one", () => {
  expect(headOf({ method: "GET" })).toBe(
    "GET /mcp?a=1 HTTP/1.1\r\nhost: localhost:8080\r\nconnection: keep-alive\r\n\r\n",
  );
});

test.each([
  ["POST", true],
  ["PUT", true],
  ["GET", false],
  ["DELETE", false],
])("%s without a body names a length: %p", (method, named) => {
  expect(headOf({ method }).includes("content-length: 0\r\n")).toBe(named);
});

test("a literal of IPv6 is in brackets, and the port of the scheme is left out", () => {
  expect(headOf({ url: new URL("http://[::1]:80/") })).toContain("\r\nhost: [::1]\r\n");
});
