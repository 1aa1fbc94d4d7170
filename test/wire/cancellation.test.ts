import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { cancelledId } from "#wire/cancellation.ts";

test("cancelledId takes texts and numbers", () => {
  const found = [{ requestId: 1 }, { requestId: "1" }, { requestId: null }, {}, 7].map(cancelledId);
  expect(found).toEqual([{ value: 1 }, { value: "1" }, undefined, undefined, undefined]);
});

test("nothing throws, whatever the value", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void [cancelledId(value)]));
});
