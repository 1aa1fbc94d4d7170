import { expect, test } from "bun:test";
import { parseValidateOptions } from "#commands/validate/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("parseValidateOptions reads logs, verdict and format", () => {
  expect(parseValidateOptions(args)).toEqual({
    clients: [],
    homes: [],
    servers: [],
    usesSettings: false,
    errorMax: undefined,
    calibrationFile: undefined,
    format: "table",
    output: undefined,
    isWide: false,
  });
  const options = { "max-error": "15%", "write-calibration": "c.json", json: true };
  expect(parseValidateOptions({ ...args, options })).toMatchObject({
    errorMax: 0.15,
    calibrationFile: "c.json",
    format: "json",
    output: undefined,
    isWide: false,
  });
  expect(parseValidateOptions({ ...args, options: { "max-error": "7.5" } }).errorMax).toBe(0.075);
});

test.each(["-1", "lots", "1e2", "15 %"])("--max-error %p is a mistake", (text) => {
  expect(
    thrownBy(() => parseValidateOptions({ ...args, options: { "max-error": text } })),
  ).toContain("a percentage such as 15%");
});
