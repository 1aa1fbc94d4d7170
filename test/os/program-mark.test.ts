import { expect, test } from "bun:test";
import { programMark } from "#os/program-mark.ts";

test("from source, a mark is never the same twice", () => {
  expect(programMark("1.0.0")).not.toBe(programMark("1.0.0"));
});
