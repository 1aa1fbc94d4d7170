import { expect, test } from "bun:test";
import { checkFormats, documentFormats } from "#renderers/formats.ts";

test("a check has the formats of every document first, then those of CI services", () => {
  expect(documentFormats).toEqual(["table", "markdown", "json"]);
  expect(checkFormats).toEqual([...documentFormats, "junit", "sarif", "github", "badge"]);
});
