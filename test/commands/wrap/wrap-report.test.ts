import { expect, test } from "bun:test";
import { ServedPorts } from "#commands/wrap/served-ports.ts";
import { serveWith } from "#commands/wrap/serving.ts";
import { fileChanges, remoteNotes, restartNotes, wrapReport } from "#commands/wrap/wrap-report.ts";
import { readRemoteNotes } from "#storage/clients/remote-notes.ts";
import { journaledPorts } from "#storage/clients/wrap-journal.ts";
import { applyPlan } from "#commands/wrap/apply-plan.ts";
import { CursorHome, settings, unwrapTask, wrapTask } from "./cast.ts";

test("the report has each server with its state, and nothing of its command", () => {
  using home = new CursorHome(settings.replace('"direct"', '"a\\u001b[2Jb"'));
  const report = wrapReport([home.plan(wrapTask)], wrapTask, { isDryRun: true, state: undefined });
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
    wrapReport([home.plan(task)], task, { isDryRun: true, state: undefined }).servers.map(
      ({ server, state }) => [server, state],
    );
  expect(states(unwrapTask)).toEqual([["behind", "changed"]]);
  expect(states({ ...unwrapTask, names: ["direct"] })).toEqual([["direct", "direct"]]);
});

test("a wrapped server is behind mcp-meter since the change in the journal", () => {
  using home = new CursorHome();
  applyPlan(home.plan(wrapTask), wrapTask, home.state, () => undefined);
  const { servers } = wrapReport([home.plan(wrapTask)], wrapTask, {
    isDryRun: true,
    state: home.state,
  });
  expect(servers.find(({ server }) => server === "direct")?.since).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(servers.find(({ server }) => server === "behind")?.since).toBeNull();
});

test("servers that are reached through serve have its command, until they are unwrapped", () => {
  const urls = '"a":{"url":"https://x.org"},"b":{"url":"https://y.org"}';
  using home = new CursorHome(`{"mcpServers":{${urls}}}`);
  const serve = () => serveWith("mcp-meter", [], new ServedPorts(journaledPorts(home.state)));
  const notesFor = (file: string) => readRemoteNotes(home.state, file);
  const task = { ...wrapTask, withRemote: true, serve: serve(), notesFor, names: ["a"] };
  const plan = home.plan(task);
  const [label, line] = remoteNotes([plan], task);
  const command = plan.servers[0]?.serving?.join(" ") ?? "";
  expect(command).toMatch(/^mcp-meter serve --url https:\/\/x.org --port \d+ --server a$/);
  expect([label?.label, line?.text]).toEqual(["serve", command]);
  applyPlan(plan, task, home.state, () => undefined);
  const listing = { ...wrapTask, action: "list" as const, notesFor };
  const place = { isDryRun: true, state: home.state };
  const { servers } = wrapReport([home.plan(listing)], listing, place);
  expect(servers).toMatchObject([
    { state: "behind", is_remote: true, serve: command.split(" ") },
    { state: "remote", serve: null },
  ]);
  const back = { ...unwrapTask, notesFor };
  expect(remoteNotes([home.plan(back)], back)).toMatchObject([
    { label: "serve", text: expect.stringContaining("end these") },
    { text: line?.text },
  ]);
  applyPlan(home.plan(back), back, home.state, () => undefined);
  expect(home.text()).toContain(urls);
  const [again] = home.plan({ ...task, serve: serve() }).servers;
  expect(again?.serving?.join(" ")).toBe(command);
});

test("changed files have their lines and the restart of their client, others nothing", () => {
  using home = new CursorHome();
  const plans = [home.plan(wrapTask), home.plan({ ...wrapTask, names: ["remote"] })];
  expect(fileChanges(plans).map(({ file }) => file)).toEqual([home.cursor]);
  expect(restartNotes(plans)).toEqual([
    { label: "cursor", text: "restart the servers in the list of Cursor, or restart it" },
  ]);
});
