import { expect, test } from "bun:test";
import { readCalibrationFile } from "#storage/calibration-file.ts";
import { Folder, thrownBy } from "../support/folder.ts";

const model = {
  client: "claude-code",
  model: "claude-opus-4-8",
  estimator: "claude",
  scale: 1.04,
  clean_steps: 312,
  median_error: 0.06,
};

function read(value: unknown) {
  using folder = new Folder();
  return readCalibrationFile(folder.file("calibration.json", JSON.stringify(value)));
}

test("a file that fits the schema", () => {
  const calibration = { schema_version: "1.0", written: "2026-11-22", models: [model] };
  expect<unknown>(read(calibration)).toEqual(calibration);
});

test.each([
  [{}, "schema_version"],
  [{ schema_version: "2.0", written: "x", models: [] }, "schema_version"],
  [{ schema_version: "1.0", written: "x", models: [{ ...model, scale: 0 }] }, "models[0].scale"],
  [{ schema_version: "1.0", written: "x", models: [{ ...model, scale: 9 }] }, "models[0].scale"],
  [{ schema_version: "1.0", written: "x", models: [{ ...model, scal: 1 }] }, '"scal"'],
])("%j: one sentence that names the mistake", (value, fault) => {
  const error = thrownBy(() => read(value));
  expect(error).toContain("Cannot read the calibration in ");
  expect(error).toContain(fault);
});
