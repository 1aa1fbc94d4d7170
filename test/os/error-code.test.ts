import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#os/error-code.ts";

test("errorCode is the system's code, else the message, else the thing itself", () => {
  let found = "";
  try {
    statSync(join(import.meta.dir, "no-such-file"));
  } catch (error) {
    found = errorCode(error);
  }
  expect(found).toBe("ENOENT");
  expect(errorCode(new Error("no disk"))).toBe("no disk");
  expect(errorCode(Object.assign(new Error("odd"), { code: 7 }))).toBe("odd");
  expect(errorCode("thrown text")).toBe("thrown text");
});
