import { expect, test } from "bun:test";
import { readConfigs } from "#storage/config/read-configs.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

test("readConfigs reads the files that there are, and is lenient with implicit ones alone", () => {
  using folder = new Folder();
  const broken = folder.file("broken.json", '{"window": 0, "model": "m"}');
  const system = { file: folder.at("none.json"), kind: "system", isImplicit: true } as const;
  const named = { file: broken, kind: "named", isImplicit: true } as const;
  const { configs, mistakes } = readConfigs([system, named]);
  expect(configs.map(({ place, layer }) => [place, [...layer.general]])).toEqual([
    [named, [["model", "m"]]],
  ]);
  expect(mistakes).toMatchObject([{ file: broken, what: "window" }]);
  expect(thrownBy(() => readConfigs([system, { ...named, isImplicit: false }]))).toContain(
    "window must be a whole number",
  );
});

test("readConfigs reports a file that a variable names and that is not there", () => {
  using folder = new Folder();
  const file = folder.at("none.json");
  const { configs, mistakes } = readConfigs([{ file, kind: "named", isImplicit: true }]);
  expect(configs[0]?.layer.general.size).toBe(0);
  expect(mistakes).toEqual([{ file, fault: "ENOENT", what: "ENOENT" }]);
});
