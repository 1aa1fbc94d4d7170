import { expect, test } from "bun:test";
import { findEntries } from "#clients/configured-entries.ts";
import { clients } from "#clients/index.ts";

test("an entry has its place, its form and all words, also those that are not texts", () => {
  const mcpServers = { a: { command: "x", args: ["1", 2] }, r: { url: "https://example.com" } };
  const value = { projects: { "/p": { mcpServers } } };
  const path = ["projects", "/p", "mcpServers"];
  expect(findEntries(clients["claude-code"], value)).toMatchObject([
    {
      rawName: "a",
      path: [...path, "a"],
      form: "command",
      words: ["x", "1", 2],
      isDisabled: false,
      entry: mcpServers.a,
    },
    { rawName: "r", path: [...path, "r"], form: undefined, words: [], isDisabled: false },
  ]);
});

test("an entry of a list has its index and the name in it", () => {
  const mcpServers = [
    { name: "a", url: "u" },
    { name: "b", command: "x", disabled: true },
  ];
  expect(findEntries(clients.continue, { mcpServers })).toMatchObject([
    { rawName: "a", path: ["mcpServers", 0], form: undefined },
    { rawName: "b", path: ["mcpServers", 1], form: "command", isDisabled: true },
  ]);
});

test("each form has its words", () => {
  const zed = { context_servers: { a: { command: { path: "x", args: ["y"] } } } };
  expect(findEntries(clients.zed, zed)).toMatchObject([{ form: "nested", words: ["x", "y"] }]);
  const opencode = { mcp: { a: { command: ["x", 1] }, b: { command: [1] } } };
  expect(findEntries(clients.opencode, opencode)).toMatchObject([
    { form: "array", words: ["x", 1] },
  ]);
  const goose = { extensions: { a: { cmd: "x", enabled: false } } };
  expect(findEntries(clients.goose, goose)).toMatchObject([{ form: "cmd", isDisabled: true }]);
});
