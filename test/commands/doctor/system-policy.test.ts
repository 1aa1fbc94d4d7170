import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { userInfo } from "node:os";
import {
  listLocks,
  reportPolicyMistakes,
  reviewSystemConfig,
} from "#commands/doctor/check-config.ts";
import { faultsShownMax } from "#commands/doctor/finding.ts";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

const isRoot = userInfo().uid === 0;

const found = (folder: Folder, text: string) => {
  chmodSync(folder.file("config.json", text), 0o644);
  return reviewSystemConfig(makeInstallation({}), folder.path);
};

test("no file is no policy", () => {
  using folder = new Folder();
  expect(reviewSystemConfig(makeInstallation({}), folder.path)).toBeUndefined();
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
    expect(reviewSystemConfig(makeInstallation({}), folder.path)?.distrust).toEqual({
      fault: "other users can write to it, so the file is ignored",
      path: file,
      isForeign: false,
    });
  });
});

test("a locked option whose value is unknown is still named", () => {
  const policy = { file: "p", locked: new Set(["budgets", "on-fault", "server", "disable"]) };
  const row = { option: "on-fault", value: "closed", source: "file", is_locked: true } as const;
  const origin = { file: "p", section: null, variable: null, client: null };
  expect(listLocks(policy, [{ ...row, ...origin }])).toEqual([
    "on_fault closed",
    "budgets",
    "server",
    '"disable", so MCP_METER_DISABLE has no effect',
  ]);
});

test.each([
  [faultsShownMax, []],
  [faultsShownMax + 1, ["p: 1 more mistake"]],
  [faultsShownMax + 3, ["p: 3 more mistakes"]],
])("of %d mistakes in a policy, those not shown are counted", (count, omitted) => {
  const mistakes = Array.from({ length: count }, (_, index) => {
    return { file: "p", fault: `fault ${index}`, cause: "locked" };
  });
  const details = reportPolicyMistakes("p", mistakes).map(({ detail }) => detail);
  expect(details).toHaveLength(faultsShownMax + omitted.length);
  expect(details.slice(faultsShownMax)).toEqual([...omitted]);
});
