import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { LogEstimators } from "#commands/import/log-estimators.ts";
import { commandSchema } from "../support/report-schemas.ts";
import { writeClaudeLog } from "../support/claude-log.ts";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered } from "../support/session.ts";
import { eachHome } from "./each-home.ts";
import { runMeter } from "./run.ts";

const home = eachHome();

const model = "claude-opus-4-8";

function answers(count: number) {
  const estimator = new LogEstimators("claude-code").find(model);
  return Array.from({ length: count }, (_, index) => {
    const text = "An order left the warehouse in Basel at noon. ".repeat(3 + index);
    return { text, native: Math.round(40 + 1.2 * estimator.count(text)) };
  });
}

const validate = (...args: readonly string[]) => runMeter(home, ["validate", ...args]);

test("the scale and the framing that a history was made with", async () => {
  writeClaudeLog(home.path, model, answers(50));
  const { stdout, stderr, status } = await validate("--json");
  expect([stderr, status]).toEqual(["", 0]);
  const report: unknown = JSON.parse(stdout);
  const matches = commandSchema("validate");
  expect([matches(report), matches.errors]).toEqual([true, null]);
  const { models } = JSON.parse(stdout);
  expect(models).toHaveLength(1);
  expect(models[0]).toMatchObject({
    platform: "claude-code",
    model,
    estimator: "claude",
    requests: 51,
    steps: 50,
    clean_steps: 50,
    impossible_requests: 0,
    estimation_quality: "fair",
  });
  expect(models[0].scale).toBeCloseTo(1.2, 1);
  expect(Math.abs(models[0].framing_tokens_per_step - 40)).toBeLessThan(3);
});

test("one session, by the beginning of its id", async () => {
  writeClaudeLog(home.path, model, answers(50));
  writeClaudeLog(home.path, model, answers(8), "99999999-bbbb-4bbb-8bbb-333333333333");
  const countRequests = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await validate("--json", ...args)).stdout).models[0].requests;
  expect(await countRequests("claude-code")).toBe(60);
  expect(await countRequests("99999999")).toBe(9);
  expect(await countRequests("claude-code", "99999999", "11111111-aaaa")).toBe(60);
  await runMeter(home, ["import"]);
  const table = ["report", "--since", "2026-03-01", "--by", "session", "--json"];
  const reported = await runMeter(home, table);
  const { rows } = JSON.parse(reported.stdout).sum.tables[0];
  const [longer, shorter] = rows.map((row: { session_id: string }) => row.session_id.slice(0, 8));
  expect(await countRequests(longer)).toBe(51);
  expect(await countRequests(shorter)).toBe(9);
  const { status, stderr } = await validate("99999999", "77777777");
  expect(status).toBe(2);
  expect(stderr).toContain('Found no session whose id begins with "77777777"');
});

test("--max-error fails with the table that says why", async () => {
  writeClaudeLog(home.path, model, answers(50));
  const passed = await validate("--max-error", "30%");
  expect([passed.status, passed.stdout]).toEqual([0, expect.stringContaining("●●○, fair: median")]);
  expect((await validate("--max-error", "5%")).status).toBe(1);
});

test("few steps have no verdict, and no scale is written", async () => {
  writeClaudeLog(home.path, model, answers(5));
  const file = join(home.path, "c.json");
  const { stdout, stderr, status } = await validate(
    "--max-error",
    "1%",
    "--write-calibration",
    file,
  );
  expect([status, existsSync(file)]).toEqual([0, false]);
  expect(stdout).toContain("no verdict: needs 30 clean steps");
  expect(stderr).toContain("Wrote no scale");
});

test("without logs it says so and fails", async () => {
  const { stdout, stderr, status } = await validate();
  expect([stdout, status]).toEqual(["No logs\n", 1]);
  expect(stderr).toStartWith("mcp-meter: Found no logs of any client in the home ");
});

async function session(flags: readonly string[]): Promise<string> {
  await using running = metered(fixture("honest"), {
    flags: ["--as-client", "claude-code", "--summary-file", "s", ...flags],
  });
  await running.ask(initialize());
  await running.ask(call(1, "echo", { text: "an order left the warehouse in Basel at noon" }));
  await running.finish();
  return readFileSync(`${running.dir}/s`, "utf8");
}

test("a session uses the scale only when its options name the file, and says so", async () => {
  writeClaudeLog(home.path, model, answers(50));
  const file = join(home.path, "calibration.json");
  const { stderr, status } = await validate("--write-calibration", file);
  expect([status, stderr]).toEqual([0, expect.stringContaining("Wrote 1 scale to")]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { scale } = JSON.parse(readFileSync(file, "utf8")).models[0];
  expect(await session([])).not.toContain("scaled by");
  expect(await session(["--calibration", file])).toContain(
    `scaled by ${scale}, as measured with 50 model requests in the logs of claude-code`,
  );
});
