import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { recordedMachine, reportedMachine } from "#commands/run/machine.ts";
import { Folder } from "../../support/folder.ts";

test("records have the id of the user, none with off, else the random one, which is then made", () => {
  using folder = new Folder();
  const env = { XDG_STATE_HOME: folder.path };
  const recorded = (machine?: string, log?: string) => recordedMachine({ machine, log }, env);
  expect([recorded("m1"), recorded("off"), recorded(undefined, "off")]).toEqual([
    "m1",
    undefined,
    undefined,
  ]);
  expect(reportedMachine({ machine: undefined }, env)).toBeUndefined();
  expect(existsSync(folder.at("mcp-meter"))).toBe(false);
  const id = recorded();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(reportedMachine({ machine: undefined }, env)).toBe(id);
  expect([
    reportedMachine({ machine: "off" }, env),
    reportedMachine({ machine: "m1" }, env),
  ]).toEqual([undefined, "m1"]);
});
