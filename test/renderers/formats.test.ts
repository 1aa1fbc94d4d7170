import { expect, test } from "bun:test";
import { summaryFormats } from "#renderers/formats.ts";

test("there are three formats, the table first", () => {
  expect(summaryFormats).toEqual(["table", "markdown", "json"]);
});
