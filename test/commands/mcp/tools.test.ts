import { describe, expect, test } from "bun:test";
import { makeTools } from "#commands/mcp/tools.ts";
import { servedMachine } from "../../support/served.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

describe("makeTools", () => {
  test("are three tools that answer by their names", async () => {
    const common = { ts: "2026-11-22T10:00:00.000Z" };
    using machine = servedMachine([[sessionRecord(common), callRecord({ ...common, seq: 1 })]]);
    const tools = makeTools(machine.setting);
    expect(tools.map(({ name }) => name)).toEqual(["usage", "budgets", "advice"]);
    const answers = await Promise.all(tools.map(({ answer }) => answer({}, () => true)));
    expect(answers.map((text) => text.split(/[ ;:]/, 3).join(" "))).toEqual([
      "mcp-meter  2026-11-21",
      "No budget counters",
      "mcp-meter  advice",
    ]);
  });
});
