import { expect, test } from "bun:test";
import { error } from "#actions/error.ts";
import { excessOf } from "../support/excess.ts";

test("error refuses both requests and answers", () => {
  expect(error.request()).toBe("refuse");
  expect(error.result(excessOf({ content: [] }, 0))).toEqual({ kind: "refuse" });
});
