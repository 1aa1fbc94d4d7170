import { expect, test } from "bun:test";
import { check, rejectUnusedBudgets } from "#commands/check/command.ts";
import { parseCheckOptions } from "#commands/check/index.ts";
import { capturedIo } from "../../support/io.ts";
import { replay, scratch } from "../../support/replay.ts";
import { budgetOf } from "../../support/checks.ts";
import { plannedCall } from "../../support/planned-call.ts";

const folder = scratch();
const file = folder.write("checked.json", {
  server: "one",
  tools: [{ name: "t", inputSchema: { type: "object" } }],
});

test("check prints for GitHub Actions there by default", async () => {
  const io = capturedIo({ GITHUB_ACTIONS: "true" });
  const options = { "no-lock": true, "max-total": "9k" };
  const args = { options, operands: [], child: replay(file) };
  expect(await check(parseCheckOptions(args), io)).toEqual({ code: 0 });
  expect(io.written.stdout).toStartWith("::stop-commands::");
});

test("check without the lock says that it was not compared", async () => {
  const io = capturedIo();
  const options = { "no-lock": true, "max-total": "9k" };
  expect(
    await check(parseCheckOptions({ options, operands: [], child: replay(file) }), io),
  ).toEqual({ code: 0 });
  expect(io.written.stdout).toContain("mcp-meter.lock (not compared), tokens counted by o200k");
});

const tools = [{ name: "search" }, { name: "status" }, { name: "left_out" }];
const plan = [plannedCall({ tool: "search" }), plannedCall({ tool: "left_out", skip: "slow" })];
const refused = (tool: string | null, limit = 9): string => {
  const budgets = [budgetOf({ tool, limit, spec: `${tool ?? ""}=${limit}` })];
  try {
    rejectUnusedBudgets({ budgets, callsFile: "calls.yaml" }, { tools }, plan);
    return "";
  } catch (error) {
    return String(error);
  }
};

test.each([
  [null, ""],
  ["search", ""],
  ["s*", ""],
  ["serch", 'Budget "serch=9" matches none of the server\'s 3 tools; did you mean "search"?'],
  ["left_out", 'Budget "left_out=9" limits none of the calls in "calls.yaml"'],
  ["status", 'Budget "status=9" limits none of the calls in "calls.yaml"'],
])("a budget for %p: %s", (tool, sentence) => {
  expect(refused(tool)).toContain(sentence);
  expect(refused(tool) === "").toBe(sentence === "");
});

test("a forbidden name in another case limits the call", () => {
  expect(refused("SEARCH", 0)).toBe("");
  expect(refused("SEARCH")).toContain("matches none");
});
