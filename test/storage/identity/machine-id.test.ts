import { expect, test } from "bun:test";
import { knownMachineId, machineId } from "#storage/identity/machine-id.ts";
import { Folder } from "../../support/folder.ts";

test("the id of an installation is random, made once, and read without being made", () => {
  using folder = new Folder();
  using other = new Folder();
  expect(knownMachineId(folder.path)).toBeUndefined();
  const id = machineId(folder.path);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect([machineId(folder.path), knownMachineId(folder.path)]).toEqual([id, id]);
  expect(machineId(other.path)).not.toBe(id);
  expect([machineId(undefined), knownMachineId(undefined)]).toEqual([undefined, undefined]);
});

test("anything else in its file is none", () => {
  for (const text of ["", "short", "z".repeat(32), "\u001b[2J".repeat(8)]) {
    using folder = new Folder();
    folder.file("machine-id", text);
    expect([text, machineId(folder.path), knownMachineId(folder.path)]).toEqual([
      text,
      undefined,
      undefined,
    ]);
  }
});
