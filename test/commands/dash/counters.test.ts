import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { PageCounters, counterReadIntervalMs } from "#commands/dash/page-data.ts";
import { Folder } from "../../support/folder.ts";
import { eventually } from "../../support/wait.ts";

test("without counters there are none; an invalid file is one sentence", async () => {
  using folder = new Folder();
  const told: (string | undefined)[] = [];
  const counters = new PageCounters(
    { env: { XDG_STATE_HOME: folder.path }, platform: "linux" },
    (fault) => told.push(fault),
  );
  expect(counters.all).toBeUndefined();
  await counters.read();
  expect([counters.all, counters.version, told]).toEqual([[], 1, [undefined]]);
  mkdirSync(folder.at("mcp-meter"));
  writeFileSync(folder.at("mcp-meter", "budget-counters.sqlite"), "not a database".repeat(100));
  await counters.read();
  expect(told.join()).toContain("budget-counters.sqlite");
});

test("they are read again only after a while", async () => {
  using folder = new Folder();
  let reads = 0;
  class Counted extends PageCounters {
    override async read(): Promise<void> {
      reads += 1;
    }
  }
  const counters = new Counted(
    { env: { XDG_STATE_HOME: folder.path }, platform: "linux" },
    () => undefined,
  );
  counters.refresh(0);
  await eventually("the first reading", () => reads === 1);
  await Bun.sleep(1);
  counters.refresh(counterReadIntervalMs - 1);
  expect(reads).toBe(1);
  counters.refresh(counterReadIntervalMs);
  expect(reads).toBe(2);
});
