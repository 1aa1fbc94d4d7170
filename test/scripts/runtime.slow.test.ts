import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { hardenRuntime } from "../../scripts/runtime.ts";

const runtime = readFileSync(process.execPath);

describe("the runtime of the executable", () => {
  const { bytes: hardened } = hardenRuntime(runtime);

  test("is as long as the installed one, and differs in some dozen bytes", () => {
    expect(hardened.length).toBe(runtime.length);
    let differing = 0;
    for (let at = 0; at < runtime.length; at += 1) if (hardened[at] !== runtime[at]) differing += 1;
    expect(differing).toBeGreaterThan(15);
    expect(differing).toBeLessThan(200);
  });

  test("knows no variable that would turn it into another program", () => {
    for (const name of ["BUN_BE_BUN", "BUN_OPTIONS", "BUN_INSPECT", "BUN_JSC_", "BUN_CONFIG_"]) {
      expect(runtime.includes(name)).toBe(true);
      expect(hardened.includes(name)).toBe(false);
    }
  });
});

test("a runtime that was not examined is rejected", () => {
  expect(() => hardenRuntime(Buffer.from("another runtime"))).toThrow("examine it");
});

test("machine code that differs stays as it is, and is reported", () => {
  const { bytes } = hardenRuntime(runtime);
  // The variables are restored; the machine code has been changed once and is not recognised again.
  const changed = Buffer.from(bytes);
  for (let at = 0; at < runtime.length; at += 1) {
    if (changed[at] === "#".charCodeAt(0) && runtime[at] === "B".charCodeAt(0)) {
      changed[at] = "B".charCodeAt(0);
    }
  }
  const again = hardenRuntime(changed);
  expect(again.isComplete).toBe(false);
});
