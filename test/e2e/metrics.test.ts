import { expect, test } from "bun:test";
import { has } from "../support/needs.ts";
import { small } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { readRecords, runBare, runMeter } from "./run.ts";

const hasPromtool = has("promtool", "the metrics of real sessions");
const home = eachHome();

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["fail", {}],
]);

async function play(...options: string[]): Promise<void> {
  const run = await runMeter(home, [...options, "--summary", "off", "--", ...small().argv], {
    input,
  });
  expect(run.status).toBe(0);
}

test.if(hasPromtool)(
  "tokens are those of the records, budgets those of the counters, and promtool is content",
  async () => {
    await play("--budget", "echo=1000/day:warn");
    await play();
    const run = await runMeter(home, ["metrics"]);
    expect(run).toMatchObject({ status: 0, stderr: "" });
    const tokens = run.stdout.matchAll(/^mcp_meter_tokens_total\{.*\} (\d+)$/gm);
    const records = await readRecords(home.logs());
    const recorded = records.map((record) => {
      if (record["type"] === "call") return Number(record["total_tokens"]);
      return record["type"] === "definitions" ? Number(record["resident_tokens"]) : 0;
    });
    expect(sum([...tokens].map(([, value]) => Number(value)))).toBe(sum(recorded));
    const spent = records.find((record) => record["tool"] === "echo" && "most_tokens" in record);
    expect(run.stdout).toContain(
      `mcp_meter_budget_used_ratio{mcp_meter_budget="echo=1000/day",mcp_meter_server="fixture"} ${Number(spent?.["most_tokens"]) / 1000}`,
    );
    expect(run.stdout).toMatch(
      /^mcp_server_operation_duration_seconds_count\{.*error_type="tool_error"\} 2$/m,
    );
    const file = `${home.path}/a.prom`;
    expect(await runMeter(home, ["metrics", "-o", file])).toMatchObject({ status: 0, stdout: "" });
    const checked = await runBare(["promtool", "check", "metrics"], {
      input: await Bun.file(file).text(),
    });
    expect(checked).toEqual({ status: 0, stdout: "", stderr: "" });
  },
);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
