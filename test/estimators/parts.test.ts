import { expect, test } from "bun:test";
import { decodePart, partsBy } from "#estimators/parts.ts";

test("decodePart: bytes that are no UTF-8 are replaced, a byte order mark is text", () => {
  expect(decodePart(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))).toBe("\ufeffa\ufffd");
});

test("partsBy: units are tokens", () => {
  const parts = partsBy((text) => text.length * 2);
  expect([parts.units(Uint8Array.of(0x61, 0x62)), parts.tokens(7)]).toEqual([4, 7]);
});
