import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { applyPlan } from "#commands/wrap/apply-plan.ts";
import type { SettingsTask } from "#commands/wrap/plan-file.ts";
import { readRemoteNotes } from "#state/storage/clients/remote-notes.ts";
import { locateJournal } from "#state/storage/clients/wrap-journal.ts";
import { CursorHome, settings, unwrapTask, wrapTask } from "./cast.ts";

const plain = '{"mcpServers":{"a":{"command":"x"}}}';

test("the change is written, backed up and journaled; undoing it leaves no backup", () => {
  using home = new CursorHome(plain);
  const said: string[] = [];
  const tell = (sentence: string) => void said.push(sentence);
  applyPlan(home.plan(wrapTask), wrapTask, home.state, tell);
  expect(home.text()).toContain('"--server","a","--","x"');
  const [backup = ""] = readdirSync(home.backups);
  expect(readFileSync(`${home.backups}/${backup}`, "utf8")).toBe(plain);
  applyPlan(home.plan(unwrapTask), unwrapTask, home.state, tell);
  expect([home.text(), said, readdirSync(home.backups)]).toEqual([plain, [], []]);
  const notes = readFileSync(locateJournal(home.state), "utf8").trim().split("\n");
  expect(notes.map((line) => JSON.parse(line))).toMatchObject([
    { action: "wrap", client: "cursor", servers: ["a"] },
    { action: "unwrap", servers: ["a"], backup: null },
  ]);
});

test("a file that changed since it was read is planned again, and keeps that change", () => {
  using home = new CursorHome(plain);
  const plan = home.plan(wrapTask);
  writeFileSync(home.cursor, `// mine\n${plain}`);
  const done = applyPlan(plan, wrapTask, home.state, () => undefined);
  expect(done.servers.map(({ state }) => state)).toEqual(["changed"]);
  expect(home.text()).toMatch(/^\/\/ mine\n.*"--server","a"/s);
  expect(readdirSync(home.backups)).toHaveLength(1);
});

test("a file that became invalid meanwhile is left alone", () => {
  using home = new CursorHome(plain);
  const plan = home.plan(wrapTask);
  writeFileSync(home.cursor, "{");
  const said: string[] = [];
  const done = applyPlan(plan, wrapTask, home.state, (sentence) => void said.push(sentence));
  expect(said[0]).toStartWith(`Cannot read the settings "${home.cursor}", line 1, column 2: `);
  expect([done.after, home.text()]).toEqual([undefined, "{"]);
});

test("a file that cannot be written is reported in one sentence, and leaves nothing behind", () => {
  using home = new CursorHome();
  chmodSync(home.cursor, 0o444);
  const said: string[] = [];
  const done = applyPlan(
    home.plan(wrapTask),
    wrapTask,
    home.state,
    (sentence) => void said.push(sentence),
  );
  expect(said).toEqual([
    `Cannot write the settings "${home.cursor}": it is read-only; they are left unchanged`,
  ]);
  expect(done.servers.map(({ state, refusal }) => [state, refusal])[0]).toEqual([
    "refused",
    "unwritable",
  ]);
  expect([home.text(), readdirSync(home.backups)]).toEqual([settings, []]);
});

test("without a backup nothing is written", () => {
  using home = new CursorHome();
  const state = home.file("state", "");
  const said: string[] = [];
  applyPlan(home.plan(wrapTask), wrapTask, state, (sentence) => void said.push(sentence));
  expect(said[0]).toStartWith(`Cannot keep a backup of "${home.cursor}"`);
  expect([home.text(), existsSync(locateJournal(state))]).toEqual([settings, false]);
});

test("a file is left alone if the notes about its remote servers cannot be written", () => {
  using home = new CursorHome('{"mcpServers":{"r":{"url":"https://example.com"}}}');
  const task = { ...wrapTask, includesRemote: true };
  mkdirSync(home.state, { recursive: true });
  writeFileSync(join(home.state, "remotes"), "");
  const said: string[] = [];
  const plan = applyPlan(home.plan(task), task, home.state, (sentence) => void said.push(sentence));
  expect(plan.servers).toMatchObject([{ state: "refused", refusal: "unwritable" }]);
  expect(said.join()).toMatch(/^Cannot write the notes ".*remotes.*json" about remote servers: /);
  expect([home.text().includes('"url"'), existsSync(home.backups)]).toEqual([true, false]);
});

test("notes about remote servers are there while these are wrapped", () => {
  const text = '{"mcpServers":{"r":{"url":"https://example.com"}}}';
  using home = new CursorHome(text);
  const readNotes = (file: string) => readRemoteNotes(home.state, file);
  const task = { ...wrapTask, includesRemote: true, readNotes };
  applyPlan(home.plan(task), task, home.state, () => undefined);
  expect(readNotes(home.cursor)).toHaveLength(1);
  applyPlan(home.plan(task), task, home.state, () => undefined);
  expect(home.plan(task).servers).toMatchObject([{ state: "behind", isRemote: true }]);
  const back = { ...unwrapTask, readNotes };
  applyPlan(home.plan(back), back, home.state, () => undefined);
  expect([home.text(), readNotes(home.cursor)]).toEqual([text, []]);
});

const remote = (name: string) => `"${name}":{"type":"http","url":"https://example.com/${name}"}`;

test("changes planned at the same time keep each other's notes", () => {
  const text = `{"mcpServers":{${remote("a")},${remote("b")}}}`;
  using home = new CursorHome(text);
  const shared = {
    includesRemote: true,
    readNotes: (file: string) => readRemoteNotes(home.state, file),
  };
  const named = (name: string): SettingsTask => ({ ...wrapTask, ...shared, names: [name] });
  const plans = ["a", "b"].map((name) => [named(name), home.plan(named(name))] as const);
  for (const [task, plan] of plans) applyPlan(plan, task, home.state, () => undefined);
  expect(home.text()).not.toContain('"url"');
  const back = { ...unwrapTask, ...shared };
  applyPlan(home.plan(back), back, home.state, () => undefined);
  expect(home.text()).toBe(text);
});
