import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { checkCounters } from "#commands/doctor/check-counters.ts";
import { SqliteStore } from "#stores/sqlite.ts";
import { Folder } from "../../support/folder.ts";
import { patient } from "./patient.ts";

test("the counters are absent, usable, or damaged", async () => {
  using folder = new Folder();
  const found = () => checkCounters(patient({ XDG_STATE_HOME: folder.path }));
  expect(await checkCounters(patient({}))).toEqual([]);
  expect(await found()).toMatchObject([
    { status: "ok", detail: expect.stringContaining("none yet") },
  ]);
  mkdirSync(folder.at("mcp-meter"), { mode: 0o700 });
  const path = folder.at("mcp-meter", "budget-counters.sqlite");
  new SqliteStore({ path, holder: "test" }).close();
  expect(await found()).toMatchObject([
    { status: "ok", detail: `0 counters in ${path}, layout 2` },
  ]);
  folder.file("mcp-meter/budget-counters.sqlite", "x".repeat(100));
  expect(await found()).toMatchObject([
    { status: "broken", detail: `${path}: its content is damaged`, fix: `mv ${path} ${path}.old` },
  ]);
});
