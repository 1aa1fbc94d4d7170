import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { countBase64Bytes, decodeBase64, stripDataUrl } from "#tokens/cost/media/base64.ts";

test("base64Bytes and decodeBase64: any window of any bytes", () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const position = fc.integer({ min: 0, max: 250 });
  fc.assert(
    fc.property(bytes, position, position, (raw, offset, bytesMax) => {
      const data = Buffer.from(raw).toString("base64");
      expect(countBase64Bytes(data)).toBe(raw.length);
      const wanted = [...raw.subarray(offset, offset + bytesMax)];
      expect([...decodeBase64(data, offset, bytesMax)]).toEqual(wanted);
    }),
  );
});

test("decodeBase64: what is no base64 gives no bytes", () => {
  fc.assert(fc.property(fc.string(), (data) => void decodeBase64(data, 0, 64)));
  expect(decodeBase64("?!", 0, 64)).toHaveLength(0);
  expect(decodeBase64("AAAA", 9, 64)).toHaveLength(0);
});

test.each([
  ["AAAA", "AAAA"],
  ["data:image/png;base64,AAAA", "AAAA"],
  ["data:AAAA", "data:AAAA"],
])("withoutDataUrl: %s is %s", (data, expected) => {
  expect(stripDataUrl(data)).toBe(expected);
});
