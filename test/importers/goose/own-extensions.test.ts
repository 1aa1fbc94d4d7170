import { expect, test } from "bun:test";
import { ownExtensions } from "#importers/goose/own-extensions.ts";

test("ownExtensions are names as they begin a tool's name", () => {
  expect(ownExtensions.has("developer")).toBe(true);
  for (const name of ownExtensions) expect(name).toMatch(/^[a-z_]+$/);
});
