import { expect, test } from "bun:test";
import { eachHome } from "../../e2e/each-home.ts";
import { runMeter } from "../../e2e/run.ts";

const home = eachHome();

const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}\n`;
const server = ["sh", "-c", `read a; echo '{"jsonrpc":"2.0","id":1,"result":{}}'`];

test("budgets shows counters that outlive a session, and resets those of a tool", async () => {
  const before = await runMeter(home, ["budgets"]);
  expect([before.status, before.stdout]).toEqual([
    0,
    "No budget counters yet; budgets per minute, hour, day, week or month create them\n\nset one  mcp-meter wrap NAME -- --budget 500k/day\n",
  ]);
  await runMeter(home, ["--budget", "search=500/day", "--", ...server], { input: call });
  const shown = await runMeter(home, ["budgets", "--json"]);
  const [counter] = JSON.parse(shown.stdout).counters;
  expect(counter).toMatchObject({ tool: "search", limit: 500, per: "day", held: 0 });
  expect(counter.spent).toBeGreaterThan(0);
  expect(counter.left).toBe(500 - counter.spent);
  const reset = await runMeter(home, ["budgets", "--reset", "sea*"]);
  expect([reset.status, reset.stderr]).toEqual([0, "mcp-meter: Reset 1 budget counter\n"]);
  const none = await runMeter(home, ["budgets", "--reset", "sea*"]);
  expect(none.status).toBe(2);
  expect(none.stderr).toContain('Cannot reset "sea*"');
  await runMeter(home, ["--server", "lab", "--budget", "search=500/day", "--", ...server], {
    input: call,
  });
  const named = await runMeter(home, ["budgets", "--reset", "lab"]);
  expect([named.status, named.stderr]).toEqual([
    0,
    'mcp-meter: Reset 1 budget counter of servers that match "lab"\n',
  ]);
});

test("budgets takes no words", async () => {
  const { status, stdout } = await runMeter(home, ["budgets", "search"]);
  expect([status, stdout]).toEqual([2, ""]);
});
