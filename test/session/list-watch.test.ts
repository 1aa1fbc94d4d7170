import { expect, test } from "bun:test";
import { ListWatch } from "#session/list-watch.ts";
import { lockedTool } from "../support/locks.ts";
import { definitionsRecord, toolDefinition } from "../support/made-records.ts";
import { meterOptions } from "../support/play.ts";

test("without a lock and budgets a list calls for nothing", () => {
  const watch = new ListWatch(meterOptions());
  expect(watch.lock).toBeUndefined();
  expect(watch.see(definitionsRecord())).toEqual([]);
});

test("a list that differs from the lock calls for an alert a tool", () => {
  const watch = new ListWatch(meterOptions({ lock: { tools: [lockedTool({ name: "gone" })] } }));
  const alerts = watch.see(definitionsRecord({ tools: [toolDefinition("new", 1)] }));
  expect(alerts).toMatchObject([{ tool: "new" }, { tool: "gone" }]);
  expect(watch.lock?.isChanged("new")).toBe(true);
});
