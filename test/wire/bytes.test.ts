import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { joinBytes } from "#wire/bytes.ts";
import { anyCuts, chunksOf } from "../support/bytes.ts";

test("joins what was cut, whatever the cuts, and copies nothing that is whole", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), anyCuts, (bytes, cuts) => {
      expect(joinBytes(chunksOf(bytes, cuts))).toEqual(bytes);
    }),
  );
  const whole = Uint8Array.of(1);
  expect(joinBytes([whole])).toBe(whole);
  expect(joinBytes([])).toEqual(new Uint8Array());
});
