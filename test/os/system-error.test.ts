import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { codeOf } from "#os/system-error.ts";

test("codeOf is the system's code, else the message, else the thing itself", () => {
  let found = "";
  try {
    statSync("/nowhere/at/all");
  } catch (error) {
    found = codeOf(error);
  }
  expect(found).toBe("ENOENT");
  expect(codeOf(new Error("no disk"))).toBe("no disk");
  expect(codeOf(Object.assign(new Error("odd"), { code: 7 }))).toBe("odd");
  expect(codeOf("thrown text")).toBe("thrown text");
});
