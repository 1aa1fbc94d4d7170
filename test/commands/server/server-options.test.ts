import { expect, test } from "bun:test";
import type { Arguments, RawOptions } from "#commands/command.ts";
import { parseServerOptions } from "#commands/server/server-options.ts";
import { thrownBy } from "../../support/folder.ts";

const parse = (options: RawOptions, changes: Partial<Arguments> = {}) =>
  parseServerOptions({ options, operands: [], child: ["a", ""], ...changes }, "profile");

test("parseServerOptions has the defaults of the documentation", () => {
  expect(parse({})).toEqual({
    command: ["a", ""],
    timeoutMs: 30_000,
    reading: { tokenizer: "auto", model: undefined, client: undefined, windowTokens: undefined },
    risk: undefined,
  });
});

test.each([
  ["5", 5_000],
  ["0.5", 500],
  ["86400", 86_400_000],
])("--timeout %s is %d ms", (timeout, timeoutMs) => {
  expect(parse({ timeout }).timeoutMs).toBe(timeoutMs);
});

test.each(["0", "-1", "86401", "soon", "1e3", " 3"])("--timeout %j is refused", (timeout) => {
  expect(thrownBy(() => parse({ timeout }))).toStartWith(
    "--timeout must be more than 0 and at most 86400 seconds",
  );
});

test("parseServerOptions requires a command after --, and nothing before it", () => {
  const missing = 'missing server; put its command after --, as in "mcp-meter profile -- ';
  expect(thrownBy(() => parse({}, { child: undefined }))).toStartWith(missing);
  expect(thrownBy(() => parse({}, { child: [] }))).toStartWith(missing);
  expect(thrownBy(() => parse({}, { operands: ["x"] }))).toBe('unexpected argument "x"');
});
