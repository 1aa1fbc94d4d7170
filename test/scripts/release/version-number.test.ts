import { expect, test } from "bun:test";
import { checkVersion, withVersion } from "../../../scripts/release/version-number.ts";

test.each([
  ["0.1.0", "0.1.0"],
  ["0.1.1", "0.1.0"],
  ["0.10.0", "0.9.9"],
  ["1.0.0", "0.99.99"],
  ["1.0.0-rc.1", "0.9.0"],
])("checkVersion accepts %s after %s", (version, current) => {
  expect(() => checkVersion(version, current)).not.toThrow();
});

test.each([
  ["0.0.9", "0.1.0", "0.0.9 is before the current version, 0.1.0"],
  ["1.9.9", "2.0.0", "is before"],
  ["v1.0.0", "0.1.0", '"v1.0.0" is not a version such as 1.2.3'],
  ["1.0", "0.1.0", "is not a version"],
  ["1.0.0; rm", "0.1.0", "is not a version"],
])("checkVersion refuses %s after %s", (version, current, reason) => {
  expect(() => checkVersion(version, current)).toThrow(reason);
});

test("withVersion replaces the version of the package alone", () => {
  const text =
    '{\n  "name": "x",\n  "version": "0.1.0",\n  "dependencies": { "version": "0.1.0" }\n}\n';
  expect(withVersion(text, "2.0.0")).toBe(text.replace('"0.1.0",\n', '"2.0.0",\n'));
  expect(() => withVersion("{}", "2.0.0")).toThrow("package.json has no version");
});
