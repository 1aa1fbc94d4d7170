import { expect, test } from "bun:test";
import { importerIds } from "#importers/ids.ts";
import { importers } from "#importers/index.ts";

test("every id is that of an importer", () => {
  expect(Object.keys(importers)).toEqual([...importerIds]);
});
