import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { hardenedRuntime, thisTarget } from "../../scripts/runtime.ts";

const runtime = readFileSync(process.execPath);

describe("the runtime of the executable", () => {
  const hardened = hardenedRuntime(runtime, thisTarget);

  test("is as long as the installed one, and differs in some dozen bytes", () => {
    expect(hardened.length).toBe(runtime.length);
    let differing = 0;
    for (let at = 0; at < runtime.length; at += 1) if (hardened[at] !== runtime[at]) differing += 1;
    expect(differing).toBeGreaterThan(15);
    expect(differing).toBeLessThan(200);
  });

  test("knows no variable that would turn it into another program", () => {
    for (const name of ["BUN_BE_BUN", "BUN_OPTIONS", "BUN_INSPECT", "BUN_JSC_"]) {
      expect(runtime.includes(name)).toBe(true);
      expect(hardened.includes(name)).toBe(false);
    }
  });
});

test("a runtime that was not examined is rejected", () => {
  expect(() => hardenedRuntime(Buffer.from("another runtime"), "linux-x64")).toThrow("examine it");
});
