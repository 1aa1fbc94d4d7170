import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { newestSources } from "#commands/mcp/tool-setting.ts";
import { Folder } from "../../support/folder.ts";

test("keeps the newest files that fit, in the order of before, and counts the others", () => {
  using folder = new Folder();
  const sizes = [40, 30, 50, 20, 90];
  const sources = sizes.map((size, at) => {
    const file = folder.file(`${at}.ndjson`, "x".repeat(size));
    // The last one is the oldest.
    utimesSync(file, 1_000 - at, 1_000 - at);
    return { file, isNamed: false };
  });
  const kept = (bytesMax: number) => {
    const { sources: left, leftOut } = newestSources({ sources, leftOut: 1 }, bytesMax);
    return [left.map(({ file }) => sources.findIndex((one) => one.file === file)), leftOut];
  };
  expect(kept(230)).toEqual([[0, 1, 2, 3, 4], 1]);
  expect(kept(229)).toEqual([[0, 1, 2, 3], 2]);
  expect(kept(100)).toEqual([[0, 1, 3], 3]);
  expect(kept(39)).toEqual([[1], 5]);
});

test("a file that vanished stays, and is reported when it is read", () => {
  const sources = [{ file: "/nowhere/a.ndjson", isNamed: false }];
  expect(newestSources({ sources, leftOut: 0 }, 10)).toEqual({ sources, leftOut: 0 });
});
