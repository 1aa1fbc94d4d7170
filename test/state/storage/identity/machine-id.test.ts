import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  readMachineId,
  findOrMakeMachineId,
  locateMachineId,
} from "#state/storage/identity/machine-id.ts";
import { Folder } from "../../../support/folder.ts";

test("the id of an installation is random, made once, and read without being made", () => {
  using folder = new Folder();
  using second = new Folder();
  expect(readMachineId(folder.path)).toBeUndefined();
  const id = findOrMakeMachineId(folder.path);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect([findOrMakeMachineId(folder.path), readMachineId(folder.path)]).toEqual([id, id]);
  expect(findOrMakeMachineId(second.path)).not.toBe(id);
  expect([findOrMakeMachineId(undefined), readMachineId(undefined)]).toEqual([
    undefined,
    undefined,
  ]);
});

test("anything else in its file is none, and replaced by those who need one", () => {
  for (const text of ["", "short", "z".repeat(32), "\u001b[2J".repeat(8)]) {
    using folder = new Folder();
    const path = folder.file("machine-id", text);
    expect(locateMachineId(folder.path)).toBe(path);
    expect([text, readMachineId(folder.path)]).toEqual([text, undefined]);
    const id = findOrMakeMachineId(folder.path);
    expect([text, id]).toEqual([text, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect([findOrMakeMachineId(folder.path), readMachineId(folder.path)]).toEqual([id, id]);
    expect(readdirSync(folder.path).toSorted()).toEqual(["machine-id", "machine-id.damaged"]);
    expect(readFileSync(`${path}.damaged`, "utf8")).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test("sixteen processes at once that find a damaged one have the same", async () => {
  for (let round = 0; round < 2; round += 1) {
    using folder = new Folder();
    folder.file("machine-id", "");
    const module = join(import.meta.dir, "../../../../src/state/storage/identity/machine-id.ts");
    const script = `import { findOrMakeMachineId } from ${JSON.stringify(module)}; console.log(findOrMakeMachineId(${JSON.stringify(folder.path)}));`;
    const argv = [process.execPath, "-e", script];
    const runs = Array.from({ length: 16 }, () => Bun.spawn(argv, { stdout: "pipe" }));
    const texts = await Promise.all(runs.map(({ stdout }) => new Response(stdout).text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^[0-9a-f]{32}\n$/);
    expect(readdirSync(folder.path).toSorted()).toEqual(["machine-id", "machine-id.damaged"]);
  }
});
