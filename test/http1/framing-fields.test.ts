import { expect, test } from "bun:test";
import { isBodiless, isPersistent, lengthOf } from "#http1/framing-fields.ts";

test.each([
  ["0", 0],
  ["5", 5],
  ["5, 5", 5],
  ["9".repeat(15), 999_999_999_999_999],
])("the length %j is %d", (value, length) => {
  expect(lengthOf(value)).toBe(length);
});

test.each(["", "-5", "+5", "5.0", "0x5", "5 5", "5, 6", "5,", "9".repeat(16)])(
  "%j is no length",
  (value) => {
    expect(() => lengthOf(value)).toThrow("HPE_INVALID_ANSWER");
  },
);

test.each([
  [1, undefined, true],
  [1, "close", false],
  [1, "Foo, CLOSE", false],
  [1, "closed", true],
  [0, undefined, false],
  [0, "Keep-Alive", true],
])("HTTP/1.%d with connection %p is persistent: %p", (minorVersion, connection, persists) => {
  const headers = new Headers(connection === undefined ? [] : [["connection", connection]]);
  expect(isPersistent(minorVersion, headers)).toBe(persists);
});

test.each([
  ["GET", 200, false],
  ["POST", 205, false],
  ["POST", 204, true],
  ["GET", 304, true],
  ["HEAD", 200, true],
])("an answer to %s with %d has no body: %p", (method, status, isNone) => {
  expect(isBodiless(method, status)).toBe(isNone);
});
