import { expect, test } from "bun:test";
import { findEntries } from "#clients/configured-entries.ts";
import { clients } from "#clients/index.ts";
import { findRemoteRule, type RemoteRule } from "#clients/mcp-remote.ts";
import { findRemoteTexts } from "#commands/wrap/plan-entry-changes.ts";
import type { RemoteNote } from "#state/storage/clients/remote-notes.ts";

const words = [
  "npx",
  "-y",
  "mcp-remote",
  "https://x.org",
  "--header",
  "A:${MCP_HEADER_1}",
  "--header",
  "B:${TOKEN}",
];

const note: RemoteNote = {
  path: ["mcpServers", "a"],
  words,
  texts: {
    renamed: [{ from: "env", keys: ['"headers"'] }],
    inner: [{ of: "env", from: "MCP_HEADER_1", keys: ['"A"'] }],
    replaced: [
      { from: ["command", "args"], text: '"url":1' },
      { from: ["env_vars"], text: '"b":1' },
    ],
    values: [],
    removed: [],
    after: ["headers", "url"],
  },
};

const env = { MCP_HEADER_1: "x" };

function wayBack(entry: object, notes: readonly RemoteNote[] = [note]) {
  const value = {
    mcpServers: { a: { command: "/opt/mcp-meter", args: ["--", ...words], env, ...entry } },
  };
  const [found] = findEntries(clients.cursor, value);
  if (found === undefined) throw new Error("no entry");
  return findRemoteTexts(found, notes, rule);
}

const rule: RemoteRule = (() => {
  const found = findRemoteRule("cursor");
  if (found === undefined) throw new Error("no rule");
  return found;
})();

test("an entry that matches a note's words and variables gets its texts", () => {
  expect(wayBack({})).toEqual(note.texts);
  expect(wayBack({ env_vars: ["TOKEN"] })).toEqual(note.texts);
  expect(wayBack({ type: "stdio" })?.removed).toEqual(["type"]);
});

test("a note belongs to one path: another entry with these words was written by hand", () => {
  expect(wayBack({}, [{ ...note, path: ["mcpServers", "b"] }])).toBeUndefined();
});

test("the entries of a list may have moved", () => {
  const client = { serverPaths: [["mcpServers"]], entryForms: ["command" as const] };
  const value = { mcpServers: [{ command: "/opt/mcp-meter", args: ["--", ...words], env }] };
  const notes = [2, 1].map((at) => ({ ...note, path: ["mcpServers", at] }));
  const [found] = findEntries(client, value);
  expect(found && findRemoteTexts(found, notes, rule)).toEqual(note.texts);
});

test("an entry that was edited has none", () => {
  expect(wayBack({ args: ["--", ...words, "--debug"] })).toBeUndefined();
  expect(wayBack({ env: {} })).toBeUndefined();
  expect(wayBack({ env: { MCP_HEADER_1: "x", MORE: "y" } })).toBeUndefined();
  expect(wayBack({ env_vars: ["TOKEN", "MORE"] })).toBeUndefined();
  expect(wayBack({ command: "npx" })).toBeUndefined();
  expect(wayBack({}, [])).toBeUndefined();
});
