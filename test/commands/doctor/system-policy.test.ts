import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { userInfo } from "node:os";
import { readSystemPolicy } from "#commands/doctor/check-config.ts";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

const isRoot = userInfo().uid === 0;

const found = (folder: Folder, text: string) => {
  chmodSync(folder.file("config.json", text), 0o644);
  return readSystemPolicy(makeInstallation({}), folder.path);
};

test("no file is no policy", () => {
  using folder = new Folder();
  expect(readSystemPolicy(makeInstallation({}), folder.path)).toBeUndefined();
});

describe.if(isRoot)("a file", () => {
  test("a file that locks nothing is no policy, even with a mistake elsewhere", () => {
    using folder = new Folder();
    expect(found(folder, '{"model": "m"}')).toBeUndefined();
    expect(found(folder, '{"model": "m", "windwo": 1}')).toBeUndefined();
  });

  test("a file that locks something is one, with all its mistakes", () => {
    using folder = new Folder();
    const policy = found(
      folder,
      '{"locked": ["budgets"], "budgets": [{"limit": 5}, {"limit": "lots"}]}',
    );
    expect(policy).toMatchObject({ file: folder.at("config.json"), distrust: undefined });
    expect([...(policy?.policy?.locked ?? [])]).toEqual(["budgets"]);
    expect(policy?.mistakes.map(({ fault }) => fault)).toEqual([expect.stringContaining("lots")]);
  });

  test.each([
    ["locked that is text", '{"model": "m", "locked": "budgets"}', "locked"],
    [
      "a name that is not an option",
      '{"model": "m", "locked": ["budgts"]}',
      "did you mean budgets?",
    ],
    ["no JSON at all", '{"locked": [', "not valid JSON"],
    ["no JSON, but an on_fault", '{"on_fault": "closed" "locked": ["budgets"]}', "not valid JSON"],
    ["no object", "[]", "object"],
  ])("with %s is one that does not hold", (_, text, fault) => {
    using folder = new Folder();
    const policy = found(folder, text);
    expect(policy?.policy).toBeUndefined();
    expect(policy?.mistakes[0]?.fault).toContain(fault);
  });

  test("a file that others can write is ignored, whatever it contains", () => {
    using folder = new Folder();
    const file = folder.file("config.json", '{"model": "m"}');
    chmodSync(file, 0o666);
    expect(readSystemPolicy(makeInstallation({}), folder.path)?.distrust).toEqual({
      fault: "other users can write to it, so it is ignored",
      path: file,
      isForeign: false,
    });
  });
});
