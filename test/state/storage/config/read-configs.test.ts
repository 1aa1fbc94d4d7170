import { expect, test } from "bun:test";
import { readConfigs } from "#state/storage/config/read-configs.ts";
import { Folder, thrownBy } from "../../../support/folder.ts";

test("readConfigs reads the files that there are, and is lenient with implicit ones alone", () => {
  using folder = new Folder();
  const broken = folder.file("broken.json", '{"window": 0, "model": "m"}');
  const system = { file: folder.at("none.json"), kind: "system", isImplicit: true } as const;
  const named = { file: broken, kind: "named", isImplicit: true } as const;
  const { configs, mistakes } = readConfigs([system, named]);
  expect(configs.map(({ location, layer }) => [location, [...layer.general]])).toEqual([
    [named, [["model", "m"]]],
  ]);
  expect(mistakes).toMatchObject([{ file: broken, cause: "window" }]);
  expect(thrownBy(() => readConfigs([system, { ...named, isImplicit: false }]))).toContain(
    "window must be a whole number",
  );
});

test("readConfigs reports a file that a variable names and that is not there", () => {
  using folder = new Folder();
  const file = folder.at("none.json");
  const { configs, mistakes } = readConfigs([{ file, kind: "named", isImplicit: true }]);
  expect(configs[0]?.layer.general.size).toBe(0);
  expect(mistakes).toEqual([{ file, fault: "ENOENT", cause: "ENOENT" }]);
});

test("a file of the system that others may have written is left out with its reason", () => {
  using folder = new Folder();
  const file = folder.file("config.json", '{"on_alert": "evil", "locked": ["log"]}');
  const location = { file, kind: "system", isImplicit: true } as const;
  const reason = "other users can write to it";
  expect(readConfigs([location], () => reason)).toEqual({
    configs: [],
    mistakes: [{ file, fault: reason, cause: reason }],
  });
  const { configs, mistakes } = readConfigs([location], () => undefined);
  expect([configs[0]?.layer.locked, mistakes]).toEqual([["log"], []]);
});

test("a file of a user locks nothing", () => {
  using folder = new Folder();
  const file = folder.file("config.json", '{"locked": ["log", 7], "model": "m"}');
  for (const kind of ["user", "named"] as const) {
    const { mistakes, configs } = readConfigs([{ file, kind, isImplicit: true }]);
    expect(mistakes.map(({ cause: what }) => what)).toEqual(["locked[1]", "locked"]);
    expect([...(configs[0]?.layer.general ?? [])]).toEqual([["model", "m"]]);
  }
  folder.file("config.json", '{"locked": ["log"]}');
  expect(thrownBy(() => readConfigs([{ file, kind: "named", isImplicit: false }]))).toEndWith(
    '"locked" is allowed only in the system config',
  );
});
