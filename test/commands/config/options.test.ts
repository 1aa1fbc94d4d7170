import { expect, test } from "bun:test";
import { parseConfigOptions } from "#commands/config/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("parseConfigOptions reads the server, the file, the command and the format", () => {
  expect(parseConfigOptions(args)).toEqual({
    server: undefined,
    config: undefined,
    command: undefined,
    format: "table",
    output: undefined,
    isWide: false,
  });
  const options = { server: "s", config: "c", json: true };
  expect(parseConfigOptions({ ...args, options, child: ["npx", "x"] })).toEqual({
    server: "s",
    config: "c",
    command: ["npx", "x"],
    format: "json",
    output: undefined,
    isWide: false,
  });
  expect(parseConfigOptions({ ...args, child: [] }).command).toBeUndefined();
});

test("parseConfigOptions takes no other arguments", () => {
  expect(thrownBy(() => parseConfigOptions({ ...args, operands: ["get"] }))).toBe(
    'unexpected argument "get"',
  );
});
