import { expect, test } from "bun:test";
import { readProfileFile } from "#state/storage/report-file.ts";
import { madeProfile } from "../../support/made-profile.ts";
import { scratch } from "../../support/replay.ts";
import { nestingMax } from "#wire/json.ts";
import { lockBytesMax } from "#state/storage/lock-file.ts";

const folder = scratch();
test("readProfileFile reads a profile, also one without the newest members", () => {
  const { savings: _savings, ...older } = madeProfile;
  for (const profile of [madeProfile, older]) {
    expect(readProfileFile(folder.write("a.json", profile))).toEqual(profile);
  }
});

test.each([
  ["{", "it is not valid JSON"],
  ["[]", "it must be an object, not a list"],
  ["{}", "schema_version is required and must be"],
  [`${"[".repeat(nestingMax + 2)}${"]".repeat(nestingMax + 2)}`, "it is nested too deeply"],
])("readProfileFile of %.20j throws a sentence", (text, fault) => {
  const file = folder.write("b.json", text);
  expect(() => readProfileFile(file)).toThrow(`Cannot read the profile "${file}": ${fault}`);
});

test("readProfileFile of nothing, and of too much, throws a sentence", () => {
  expect(() => readProfileFile("/no/such.json")).toThrow("Cannot read");
  const long = folder.write("long.json", " ".repeat(lockBytesMax + 1));
  expect(() => readProfileFile(long)).toThrow("it is larger than");
});
