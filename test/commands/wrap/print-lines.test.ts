import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import type { ClientId } from "#clients/ids.ts";
import { planFile, type SettingsTask } from "#commands/wrap/plan-file.ts";
import { printLines } from "#commands/wrap/print-lines.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";
import { CursorHome, settings, wrapTask } from "./cast.ts";

// Comments are wrapped at 80 columns, wherever a folder's name lets them end.
const joinComments = (text: string): string => text.replaceAll(/\n# (?!replace "|")/g, " ");

test("prints the escaped lines of each server that is not behind mcp-meter", () => {
  using home = new CursorHome(settings.replace('"direct"', '"d\\u0007"'));
  const { io, stdout } = fakeIo();
  printLines([home.plan(wrapTask)], wrapTask, { output: undefined }, io);
  expect(joinComments(stdout()).split("\n").slice(0, 4)).toEqual([
    `# "d\\u0007" in ${home.cursor}: replace its command and arguments with`,
    '"command": "/opt/mcp-meter",',
    '"args": ["--server", "d\\u0007", "--", "npx", "-y", "server"]',
    "",
  ]);
  expect(stdout()).not.toContain("behind");
  printLines([home.plan(wrapTask)], wrapTask, { output: home.at("out") }, io);
  expect(readFileSync(home.at("out"), "utf8")).toBe(stdout());
  expect(statSync(home.at("out")).mode & 0o777).toBe(0o600);
});

test("an entry with arguments that are not strings is not printed", () => {
  const entries = [
    '"a": { "command": "x", "args": "y" }',
    '"b": { "command": "x", "args": ["--port", 80] }',
    '"c": { "command": "x", "args": null }',
  ];
  using home = new CursorHome(`{"mcpServers":{${entries.join(",")}}}`);
  const { io, stdout } = fakeIo();
  printLines([home.plan(wrapTask)], wrapTask, { output: undefined }, io);
  const byHand = `in ${home.cursor}: put mcp-meter in front of it by hand;`;
  expect(joinComments(stdout()).split("\n")).toEqual([
    `# "a" ${byHand} its arguments are not a list`,
    "",
    `# "b" ${byHand} one of its arguments is not a string`,
    "",
    `# "c" in ${home.cursor}: replace its command and arguments with`,
    '"command": "/opt/mcp-meter",',
    '"args": ["--server", "c", "--", "x"]',
    "",
  ]);
});

function printed(client: ClientId, text: string, task: SettingsTask = wrapTask): readonly string[] {
  using folder = new Folder();
  const file = folder.file("settings", text);
  const plan = planFile({ client, file }, task);
  if ("fault" in plan) throw new Error(plan.fault);
  const { io, stdout } = fakeIo();
  printLines([plan], task, { output: undefined }, io);
  return joinComments(stdout()).split("\n").slice(0, -1);
}

test("a remote server shows the members that change, but no header value", () => {
  const remote = { ...wrapTask, includesRemote: true };
  const text = `{"mcpServers":{"r":{"type":"http","url":"https://x.org","headers":{"A":"secret"}},"o":{"url":"https://x.org","oauth":{}}}}`;
  const lines = printed("claude-code", text, remote);
  expect(lines.slice(1, 6)).toEqual([
    '"command": "/opt/mcp-meter",',
    '"args": ["--server", "r", "--", "npx", "-y", "mcp-remote@0.15.1", "https://x.org", "--header", "A:${MCP_HEADER_1}"]',
    '# replace "headers" with "env"',
    '# replace "A" with "MCP_HEADER_1"',
    '# replace "http" with "stdio"',
  ]);
  expect(lines.at(-1)).toEndWith(
    ': left as it is; mcp-remote has no counterpart for the option "oauth"',
  );
  expect(lines.join("")).not.toContain("secret");
  expect(printed("claude-code", text)).toEqual([]);
  expect(printed("claude-code", text, { ...wrapTask, names: ["r"] })).toEqual([
    expect.stringMatching(/^# "r" in .*: left as it is; pass --remote to meter remote servers/),
  ]);
});
