import { expect, test } from "bun:test";
import { withoutMeta } from "#wire/meta.ts";

test("withoutMeta drops _meta and nothing else", () => {
  expect(withoutMeta({ a: 1, _meta: { b: 2 } })).toEqual({ a: 1 });
  expect(["text", null, [1], undefined].map(withoutMeta)).toEqual(["text", null, [1], undefined]);
});
