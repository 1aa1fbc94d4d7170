import { expect, test } from "bun:test";
import { UserError } from "#errors.ts";
import { parseServerOptions, serverCommand, serverOptionSpecs } from "#commands/visit/options.ts";

test("parseServerOptions has the defaults of the documentation", () => {
  expect(parseServerOptions({})).toEqual({
    timeoutMs: 30_000,
    tokenizer: "auto",
    model: undefined,
    client: undefined,
    windowTokens: undefined,
    risk: [1_000, 4_000, 8_000],
  });
});

test.each([
  ["5", 5_000],
  ["0.5", 500],
  ["86400", 86_400_000],
])("--timeout %s is %d ms", (timeout, timeoutMs) => {
  expect(parseServerOptions({ timeout }).timeoutMs).toBe(timeoutMs);
});

test.each(["0", "-1", "86401", "soon", "1e3", " 3"])("--timeout %j is refused", (timeout) => {
  expect(() => parseServerOptions({ timeout })).toThrow(UserError);
});

test("serverCommand is what follows --, and nothing else may be given", () => {
  const args = { options: {}, operands: [], child: ["a", ""] };
  expect(serverCommand(args, "profile")).toEqual(["a", ""]);
  expect(() => serverCommand({ ...args, child: undefined }, "profile")).toThrow(
    "missing server; put its command after --",
  );
  expect(() => serverCommand({ ...args, child: [] }, "profile")).toThrow(
    "missing server; put its command after --",
  );
  expect(() => serverCommand({ ...args, operands: ["x"] }, "profile")).toThrow(
    'unexpected argument "x"',
  );
});

test("every option of serverOptionSpecs takes a value", () => {
  expect(Object.values(serverOptionSpecs).every(({ value }) => value !== undefined)).toBe(true);
});
