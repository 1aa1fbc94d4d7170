import { expect, test } from "bun:test";
import { ListAlerts } from "#session/list-alerts.ts";
import { lockedTool } from "../support/locks.ts";
import { definitionsRecord, toolDefinition } from "../support/made-records.ts";
import { meterOptions } from "../support/play.ts";

test("without a lock and budgets a list calls for nothing", () => {
  const lists = new ListAlerts(meterOptions());
  expect(lists.for(definitionsRecord())).toEqual([]);
});

test("a list that differs from the lock calls for an alert a tool", () => {
  const lists = new ListAlerts(meterOptions({ lock: { tools: [lockedTool({ name: "gone" })] } }));
  const alerts = lists.for(definitionsRecord({ tools: [toolDefinition("new", 1)] }));
  expect(alerts).toMatchObject([{ tool: "new" }, { tool: "gone" }]);
});
