import { expect, test } from "bun:test";
import { isServerOperation, methodLabel } from "#telemetry/methods.ts";

test("a method of the protocol is a label, any other is not", () => {
  expect(methodLabel("tools/call")).toBe("tools/call");
  expect(methodLabel("sampling/createMessage")).toBe("sampling/createMessage");
  for (const method of ["", "tools/Call", "__proto__", "x".repeat(1000)]) {
    expect(methodLabel(method)).toBe("(other)");
  }
});

test("the requests of a server are operations of its client", () => {
  expect(isServerOperation("sampling/createMessage")).toBe(false);
  expect(isServerOperation("tools/call")).toBe(true);
  expect(isServerOperation("vendor/own")).toBe(true);
});
