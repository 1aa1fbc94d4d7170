import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { findOrMakeRandom, readRandom } from "#state/storage/identity/machine-id.ts";
import { Folder } from "../../../support/folder.ts";

test("random bytes are made once, for their user only, and found again", () => {
  using folder = new Folder();
  const path = folder.at("state", "random");
  expect(readRandom(path, 8)).toBeUndefined();
  const text = findOrMakeRandom(folder.at("state"), "random", 8);
  expect(text).toMatch(/^[0-9a-f]{16}$/);
  expect([findOrMakeRandom(folder.at("state"), "random", 8), readRandom(path, 8)]).toEqual([
    text,
    text,
  ]);
  expect([readdirSync(folder.at("state")), statSync(path).mode & 0o777]).toEqual([
    ["random"],
    0o600,
  ]);
});

test("without a folder, or with a file in its place, there are none", () => {
  using folder = new Folder();
  expect(findOrMakeRandom(undefined, "random", 8)).toBeUndefined();
  expect(findOrMakeRandom(folder.file("file", ""), "random", 8)).toBeUndefined();
});

test("sixteen processes at once have the same", async () => {
  using folder = new Folder();
  const module = join(import.meta.dir, "../../../../src/state/storage/identity/machine-id.ts");
  const script = `import { findOrMakeRandom } from ${JSON.stringify(module)}; console.log(findOrMakeRandom(${JSON.stringify(folder.path)}, "random", 8));`;
  const argv = [process.execPath, "-e", script];
  const runs = Array.from({ length: 16 }, () => Bun.spawn(argv, { stdout: "pipe" }));
  const texts = await Promise.all(runs.map(({ stdout }) => new Response(stdout).text()));
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toMatch(/^[0-9a-f]{16}\n$/);
});
