import { expect, test } from "bun:test";
import { formatOption } from "#commands/format-options.ts";
import { thrownBy } from "../support/folder.ts";

test("formatOption is a table, the named format, or JSON", () => {
  expect(formatOption({})).toBe("table");
  expect(formatOption({ format: "markdown" })).toBe("markdown");
  expect(formatOption({ format: "markdown", json: true })).toBe("json");
  expect(formatOption({ json: "0" })).toBe("table");
  expect(thrownBy(() => formatOption({ format: "pdf" }))).toBe(
    '--format must be one of table, markdown, json, not "pdf"',
  );
});
