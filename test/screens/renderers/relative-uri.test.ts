import { expect, test } from "bun:test";
import { makeRelativeUri } from "#screens/renderers/documents/shared-texts.ts";

test.each([
  ["locks/a b.lock", "locks/a%20b.lock"],
  ["./a.lock", "a.lock"],
  ["/secret/place/a.lock", "a.lock"],
  ["C:\\secret\\a.lock", "a.lock"],
  ["a\ud800-->", "a%EF%BF%BD--%3E"],
])("relativeUri of %j", (file, uri) => expect(makeRelativeUri(file)).toBe(uri));
