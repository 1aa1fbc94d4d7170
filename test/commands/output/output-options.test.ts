import { describe, expect, test } from "bun:test";
import { outputOptionSpecs, parseOutput } from "#commands/output/output-options.ts";
import { thrownBy } from "../../support/folder.ts";

const formats = ["table", "markdown", "json"] as const;

const place = ({ output, isWide }: ReturnType<typeof parseOutput>) => [output, isWide];

const fault = (options: Parameters<typeof parseOutput>[0]) =>
  thrownBy(() => parseOutput(options, formats));

describe("parseOutput", () => {
  test("is a table on stdout, the named format, or JSON", () => {
    const stdout = { output: undefined, isWide: false };
    expect(parseOutput({}, formats)).toEqual({ format: "table", ...stdout });
    expect(parseOutput({ format: "markdown" }, formats)).toEqual({ format: "markdown", ...stdout });
    expect(parseOutput({ json: true }, formats)).toEqual({ format: "json", ...stdout });
    expect(parseOutput({ format: "json", json: true }, formats).format).toBe("json");
    expect(parseOutput({ json: "0" }, formats).format).toBe("table");
  });

  test("has the file and the width; - is stdout", () => {
    expect(place(parseOutput({ output: "a.txt", wide: true }, formats))).toEqual(["a.txt", true]);
    expect(place(parseOutput({ output: "-" }, formats))).toEqual([undefined, false]);
  });

  test("refuses another format, two formats, and a file without a name", () => {
    expect(fault({ format: "pdf" })).toBe(
      '--format must be one of table, markdown, json, not "pdf"',
    );
    expect(fault({ format: "markdown", json: true })).toBe(
      "Cannot combine --format markdown with --json",
    );
    expect(fault({ output: "" })).toBe("--output requires a value");
  });
});

test("outputOptionSpecs names the formats", () => {
  expect(outputOptionSpecs(formats)["format"]?.describe).toContain("table, markdown, json");
});
