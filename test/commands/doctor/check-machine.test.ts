import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { checkMachine } from "#commands/doctor/check-machine.ts";
import { findOrMakeMachineId } from "#state/storage/identity/machine-id.ts";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

test("the machine id: missing, valid, damaged, repaired, or not a file", async () => {
  using folder = new Folder();
  const found = () => checkMachine(makeInstallation({ XDG_STATE_HOME: folder.path }));
  expect(await checkMachine(makeInstallation({}))).toEqual([]);
  expect(await found()).toMatchObject([
    { status: "ok", detail: "none yet; the first session creates it" },
  ]);
  const state = folder.at("mcp-meter");
  const id = findOrMakeMachineId(state);
  expect(await found()).toMatchObject([{ status: "ok", detail: id }]);
  const file = folder.file("mcp-meter/machine-id", "");
  expect(await found()).toMatchObject([
    {
      status: "warning",
      detail: expect.stringContaining("is empty or damaged"),
      fix: `rm ${file}`,
    },
  ]);
  const next = findOrMakeMachineId(state);
  expect(await found()).toMatchObject([
    {
      status: "warning",
      detail: expect.stringContaining(` new id ${next}`),
      fix: `rm ${file}.damaged`,
    },
  ]);
  rmSync(`${file}.damaged`);
  expect(await found()).toMatchObject([{ status: "ok", detail: next }]);
  rmSync(file);
  mkdirSync(file);
  expect(await found()).toMatchObject([
    {
      status: "warning",
      detail: `${file} is a directory, not a file: records have no machine id`,
      fix: `mv ${file} ${file}.old`,
    },
  ]);
});

test.if(process.getuid?.() !== 0)("the machine id: not readable", async () => {
  using folder = new Folder();
  findOrMakeMachineId(folder.at("mcp-meter"));
  const file = folder.at("mcp-meter/machine-id");
  chmodSync(file, 0);
  expect(await checkMachine(makeInstallation({ XDG_STATE_HOME: folder.path }))).toMatchObject([
    {
      status: "warning",
      detail: `${file} is not readable: records have no machine id`,
      fix: `chmod u+r ${file}`,
    },
  ]);
});
