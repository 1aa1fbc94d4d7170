import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import {
  describeAddedBudgets,
  listFileChanges,
  describeRemotes,
  describeRestarts,
  buildWrapReport,
} from "#commands/wrap/wrap-report.ts";
import { applyPlan } from "#commands/wrap/apply-plan.ts";
import { CursorHome, settings, unwrapTask, wrapTask } from "./cast.ts";

test("the report has each server with its state, and nothing of its command", () => {
  using home = new CursorHome(settings.replace('"direct"', '"a\\u001b[2Jb"'));
  const report = buildWrapReport([home.plan(wrapTask)], wrapTask, {
    isDryRun: true,
    stateFolder: undefined,
  });
  expect(report).toMatchObject({ action: "wrap", is_dry_run: true, changed: 1, refused: 0 });
  expect(report.servers.map(({ server, state }) => [server, state])[0]).toEqual([
    "a\\u001b[2Jb",
    "changed",
  ]);
  expect(JSON.stringify(report)).not.toContain("npx");
});

test("unwrap reports only servers that are behind mcp-meter, unless others are named", () => {
  using home = new CursorHome();
  const states = (task: typeof unwrapTask) =>
    buildWrapReport([home.plan(task)], task, {
      isDryRun: true,
      stateFolder: undefined,
    }).servers.map(({ server, state }) => [server, state]);
  expect(states(unwrapTask)).toEqual([["behind", "changed"]]);
  expect(states({ ...unwrapTask, names: ["direct"] })).toEqual([["direct", "direct"]]);
});

test("a wrapped server shows since when it is behind mcp-meter, from the journal", () => {
  using home = new CursorHome();
  applyPlan(home.plan(wrapTask), wrapTask, home.state, () => undefined);
  const { servers } = buildWrapReport([home.plan(wrapTask)], wrapTask, {
    isDryRun: true,
    stateFolder: home.state,
  });
  expect(servers.find(({ server }) => server === "direct")?.since).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(servers.find(({ server }) => server === "behind")?.since).toBeNull();
});

test("a server behind mcp-meter is listed with its options, without secrets", () => {
  const words = ["--server", "behind", "--exit-code", "child", "--budget", "9k", "--redis"];
  const url = "redis://me:hidden-password@cache/0";
  const args = [...words, url, "--", "npx"].map((word) => JSON.stringify(word)).join(", ");
  using home = new CursorHome(settings.replace('"--", "npx"', args));
  const list = { ...wrapTask, action: "list" } as const;
  const { servers } = buildWrapReport([home.plan(list)], list, {
    isDryRun: true,
    stateFolder: undefined,
  });
  const options = new Map(servers.map((server) => [server.server, server.options]));
  expect(options.get("behind")?.slice(0, 3)).toEqual(["--budget", "9k", "--redis"]);
  expect(JSON.stringify(servers)).not.toContain("hidden-password");
  expect(options.get("direct")).toBeNull();
});

test("a note says how remote servers are or could be metered", () => {
  using home = new CursorHome('{"mcpServers":{"a":{"url":"https://x.org"}}}');
  const remote = { ...wrapTask, includesRemote: true };
  const notes = [remote, wrapTask].flatMap((task) => describeRemotes([home.plan(task)], task));
  expect(notes.map(({ text }) => text)).toEqual([
    expect.stringContaining("npx starts mcp-remote@"),
    expect.stringContaining("pass --remote"),
  ]);
});

test("a server that is behind mcp-meter keeps its budgets when it gets more", () => {
  using home = new CursorHome(
    settings.replace('"--", "npx"', '"--budget", "100k/session", "--", "npx"'),
  );
  const meter = home.file("mcp-meter", "");
  writeFileSync(home.cursor, home.text().replace("/opt/mcp-meter", meter));
  const task = { ...wrapTask, names: ["behind"], flags: ["--budget", "50k/session:warn"] };
  const plans = [home.plan(task)];
  const { servers } = buildWrapReport(plans, task, { isDryRun: true, stateFolder: undefined });
  expect(servers).toMatchObject([{ state: "changed", adds_options: true }]);
  expect(describeAddedBudgets(plans, task)).toEqual([
    {
      label: "budgets",
      text: '"behind" keeps 100k/session (refuses calls), and also gets 50k/session:warn (warns)',
    },
  ]);
  const direct = { ...task, names: ["direct"] };
  expect(describeAddedBudgets([home.plan(direct)], direct)).toEqual([]);
});

test("changed files show their lines and how to restart the client, others nothing", () => {
  using home = new CursorHome();
  const plans = [home.plan(wrapTask), home.plan({ ...wrapTask, names: ["remote"] })];
  expect(listFileChanges(plans).map(({ file }) => file)).toEqual([home.cursor]);
  expect(describeRestarts(plans)).toEqual([
    { label: "cursor", text: "restart the servers in Cursor, or restart Cursor" },
  ]);
});
