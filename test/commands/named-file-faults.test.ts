import { expect, test } from "bun:test";
import { resolveConfig } from "#commands/configured-arguments.ts";
import { namedFileFaults } from "#commands/named-file-faults.ts";
import { runCommand } from "#commands/run/index.ts";
import { Folder } from "../support/folder.ts";

test("a fault has the file or the variable that names the file, without secrets", async () => {
  using folder = new Folder();
  const file = folder.file("config.json", '{"calibration": "/none/redis://u:hunter2@h"}');
  const env = { MCP_METER_LOCK: "/none/l" };
  const places = [{ file, kind: "user", isImplicit: true }] as const;
  const words = { operands: [], child: ["server"] };
  const line = { command: runCommand, words, explicit: { lock: "/none/l" }, places };
  const faults = await namedFileFaults({ line, resolved: resolveConfig(line, env) }, env);
  expect(faults).toMatchObject([
    { option: "lock", place: "MCP_METER_LOCK", effect: "stops" },
    { option: "calibration", place: file, effect: "ignored" },
  ]);
  expect(JSON.stringify(faults)).not.toContain("hunter2");
});

test("a relative path may lead to a file in the folder of a session", async () => {
  const words = { operands: [], child: ["server"] };
  const line = { command: runCommand, words, explicit: { lock: "none/l" }, places: [] };
  const faults = await namedFileFaults({ line, resolved: resolveConfig(line, {}) }, {});
  expect(faults).toMatchObject([
    { failure: expect.stringContaining("; the path is relative to the folder of each session") },
  ]);
});
