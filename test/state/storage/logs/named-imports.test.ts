import { expect, test } from "bun:test";
import { readFileSync, symlinkSync } from "node:fs";
import { writeImportFile } from "#state/storage/logs/write-imports.ts";
import { Folder } from "../../../support/folder.ts";

const record = '{"type":"conversation","schema_version":"1.1"}\n';

test("a new file, an empty one and an earlier import are written", () => {
  using folder = new Folder();
  for (const file of [folder.at("new"), folder.file("empty", ""), folder.file("own", record)]) {
    expect(writeImportFile(file, () => [record, record])).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe(`${record}${record}`);
  }
});

test("records of a session, another file, a link and a folder are left alone", () => {
  using folder = new Folder();
  const texts = ['{"type":"session"}\n', '{"type":"turnip",}', "precious", "\u0000"];
  for (const text of texts) {
    const file = folder.file("other", text);
    expect(writeImportFile(file, () => [record])).toBe("it holds something other than an import");
    expect(readFileSync(file, "utf8")).toBe(text);
  }
  symlinkSync(folder.file("target", record), folder.at("link"));
  expect(writeImportFile(folder.at("link"), () => [record])).toBe("ELOOP");
  expect(writeImportFile(folder.path, () => [record])).toBe("EISDIR");
});
