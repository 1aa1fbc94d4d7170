import { expect, test } from "bun:test";
import { parseDoctorOptions } from "#commands/doctor/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("parseDoctorOptions reads the format and takes no arguments", () => {
  expect(parseDoctorOptions(args)).toEqual({
    format: "table",
    output: undefined,
    isWide: false,
    unknownVariables: [],
  });
  expect(parseDoctorOptions({ ...args, options: { json: true } })).toMatchObject({
    format: "json",
    output: undefined,
    isWide: false,
  });
  expect(thrownBy(() => parseDoctorOptions({ ...args, operands: ["x"] }))).toBe(
    'unexpected argument "x"',
  );
});
