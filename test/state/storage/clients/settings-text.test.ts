import { expect, test } from "bun:test";
import { readSettings } from "#state/storage/clients/read-settings.ts";
import { Folder } from "../../../support/folder.ts";

test("a byte order mark is apart from the text", () => {
  using folder = new Folder();
  expect(readSettings(folder.file("a", '\ufeff{"a":1}\r\n'), "json")).toMatchObject({
    byteOrderMark: "\ufeff",
    text: '{"a":1}\r\n',
    value: { a: 1 },
  });
  expect(readSettings(folder.file("b", "a: 1"), "yaml")).toMatchObject({
    byteOrderMark: "",
    value: { a: 1 },
  });
});

test("bytes that are not UTF-8 are a fault, not replaced", () => {
  using folder = new Folder();
  const file = folder.file("a", new Uint8Array([0x7b, 0xff, 0x7d]));
  expect(readSettings(file, "json")).toEqual({ fault: "it is not valid UTF-8" });
  expect(readSettings(folder.at("missing"), "json")).toEqual({ fault: "ENOENT" });
  expect(readSettings(folder.file("b", '{\n"a":'), "json")).toMatchObject({ line: 2 });
});
