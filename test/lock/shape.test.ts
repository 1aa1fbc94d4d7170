import { expect, test } from "bun:test";
import { misfit, type Shape } from "#lock/shape.ts";

const shape: Shape = {
  members: { name: "text", sizes: { optional: { items: "count" } }, kind: { oneOf: ["a", 1] } },
};
const fine = { name: "n", kind: "a" };

test.each([
  [fine, undefined],
  [{ ...fine, sizes: [] }, undefined],
  [{ ...fine, kind: 1 }, undefined],
  [3, "it must be an object"],
  [{ kind: "a" }, "name must be a text"],
  [{ ...fine, sizes: [1, -1] }, "sizes[1] must be a whole number"],
  [{ ...fine, sizes: [1.5] }, "sizes[0] must be a whole number"],
  [{ ...fine, sizes: {} }, "sizes must be a list"],
  [{ ...fine, kind: "b" }, "kind must be one of a, 1"],
  [{ ...fine, more: 1 }, 'it has the unknown member "more"'],
] as const)("misfit of %j is %s", (value, found) => {
  expect(misfit(value, shape)).toBe(found as string);
});

test.each([
  ["flag", true, 1],
  ["sha256", "0".repeat(64), "0".repeat(63)],
  [{ nullable: "text" }, null, undefined],
] as const)("misfit with %j takes %j and not %j", (one, good, bad) => {
  expect(misfit(good, one)).toBeUndefined();
  expect(misfit(bad, one)).toBeDefined();
  expect(misfit(bad, "anything")).toBeUndefined();
});
