import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import * as law from "./law.ts";
import { readHouse, readTree, root, trackedPaths } from "./tree.ts";

const house = readHouse();
const tracked = trackedPaths();

test("imports point down the wings, relative inside a wing and # across, and pure code imports pure code", () => {
  expect(law.importsPointDown(house)).toEqual([]);
});

test("no file imports itself by way of others, types included", () => {
  expect(law.importsHaveNoCycle(house)).toEqual([]);
});

test("each type is exported once and shadows no global", () => {
  expect(law.typesAreNamedOnce(house)).toEqual([]);
});

test("every file is in a wing", () => {
  expect(law.wingsAreKnown(house)).toEqual([]);
});

test("judgement knows no clock, no file and no chance; only main.ts says process", () => {
  expect(law.judgementIsPure(house)).toEqual([]);
});

test("each package has one owner", () => {
  const names = Object.keys(packageJson.dependencies);
  expect(law.packagesHaveOneOwner(house, names)).toEqual([]);
});

test("a limit is where it bounds, or in kit if it bounds several wings", () => {
  expect(law.sharedLimitsBoundSeveralWings(house)).toEqual([]);
});

test("files are small and have no default export", () => {
  expect(law.filesAreSmallAndNamed(house)).toEqual([]);
});

test("only slow tests start the executable", () => {
  expect(law.executableTestsAreSlow(house)).toEqual([]);
});

test("the top of the repository holds what belongs there", () => {
  expect(law.topLevelIsKnown(tracked)).toEqual([]);
});

test("no file knows the machine it was written on", () => {
  expect(law.filesKnowNoMachine(readTree(tracked), root)).toEqual([]);
});

test("the lock file names no host", () => {
  expect(law.lockNamesNoHost(readFileSync(join(root, "bun.lock"), "utf8"))).toEqual([]);
});

function listStaticImports(entry: string): string[] {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const found = new Set([entry]);
  for (const file of found) {
    const text = house[file];
    if (text === undefined) continue;
    for (const { kind, path } of transpiler.scanImports(text)) {
      if (kind !== "import-statement") continue;
      const inside = path.startsWith("#") ? join("src", path.slice(1)) : join(dirname(file), path);
      found.add(/^[.#]/.test(path) ? inside : path);
    }
  }
  return [...found];
}

// Both took milliseconds of every start, for options that `run` only shares.
test("run waits for no validator and for no package", () => {
  const loaded = listStaticImports("src/commands/run/index.ts").concat(
    listStaticImports("src/main.ts"),
  );
  expect(loaded.length).toBeGreaterThan(60);
  const ours = /^(?:src\/|node:|bun$|package\.json$)/;
  expect([...new Set(loaded)].filter((path) => !ours.test(path))).toEqual([]);
});

// Every command but `run` and `statusline` waits for the options of all commands: these took a third of that time.
test("the options of commands load no importer and no comparison of locks", () => {
  const loaded = listStaticImports("src/commands/index.ts");
  expect(loaded.length).toBeGreaterThan(60);
  const work = /^src\/(?:history\/importers\/(?!ids|log-fields)|lock\/drift|check)\b/;
  expect(loaded.filter((path) => work.test(path))).toEqual([]);
});

test("a summary of record files loads no settings of clients", () => {
  const loaded = listStaticImports("src/commands/report/command.ts");
  expect(loaded.length).toBeGreaterThan(60);
  expect(loaded.filter((path) => /^src\/(?:clients|commands\/wrap)\//.test(path))).toEqual([]);
});
