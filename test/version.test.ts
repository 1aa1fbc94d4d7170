import { expect, test } from "bun:test";
import { version } from "#version.ts";
import packageJson from "../package.json" with { type: "json" };

test("the version is the package's", () => {
  expect(version).toBe(packageJson.version);
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});
