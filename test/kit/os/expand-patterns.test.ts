import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { expandPatterns } from "#state/storage/record-files.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";

describe("expandPatterns", () => {
  test("names stay in order, globs are sorted, each file comes once", async () => {
    using folder = new Folder();
    mkdirSync(folder.at("deep"));
    const [b, a, c] = ["b.ndjson", "a.ndjson", "deep/c.ndjson"].map((name) =>
      folder.file(name, ""),
    );
    expect(await expandPatterns([folder.at("*.ndjson"), String(b)])).toEqual([
      String(a),
      String(b),
    ]);
    expect(await expandPatterns([String(b), folder.at("**/*.ndjson")])).toEqual(
      [b, a, c].map(String),
    );
  });

  test("a file whose name looks like a glob is itself", async () => {
    using folder = new Folder();
    const file = folder.file("[x]*.ndjson", "");
    expect(await expandPatterns([file])).toEqual([file]);
  });

  const rows: readonly (readonly [what: string, name: string, fault: RegExp])[] = [
    [
      "a name without a file",
      "gone.ndjson",
      /^UserError: Cannot read ".*gone\.ndjson": no such file or directory$/,
    ],
    ["a pattern without a file", "*.gone", /^UserError: Cannot read ".*": no file matches$/],
    [
      "a file below a file",
      "file/x",
      /^UserError: Cannot read ".*": (?:part of the path is not a directory|no such file or directory)$/,
    ],
    [
      "a name too long for any file",
      "x".repeat(300),
      /^UserError: Cannot read ".*": the name is too long$/,
    ],
  ];
  for (const [what, name, fault] of rows) {
    test(`${what} is one sentence`, async () => {
      using folder = new Folder();
      folder.file("file", "");
      expect(await rejectionOf(expandPatterns([folder.at(name)]))).toMatch(fault);
    });
  }
});
