import { expect, test } from "bun:test";
import { clients } from "#clients/index.ts";
import { serversIn } from "#clients/servers-in.ts";

test("servers of each project and of the user are found, with all words of their commands", () => {
  const value = {
    mcpServers: { a: { command: "x", args: ["1", 2, "3"] } },
    projects: { "/p": { mcpServers: { a: { command: "y" } } }, "/q": null },
  };
  expect(serversIn(clients["claude-code"], value)).toEqual([
    { rawName: "a", command: ["x", "1", "3"], entry: value.mcpServers.a },
    { rawName: "a", command: ["y"], entry: value.projects["/p"].mcpServers.a },
  ]);
});

test("servers that are turned off are left out, and so are entries without command and URL", () => {
  const mcpServers = {
    off: { command: "x", disabled: true },
    unused: { command: "x", enabled: false },
    odd: { command: 1 },
    text: "x",
    url: { url: "https://example.com" },
  };
  expect(serversIn(clients.cursor, { mcpServers })).toEqual([
    { rawName: "url", command: undefined, entry: mcpServers.url },
  ]);
});

test("a server in a list has its own name", () => {
  const [first, second] = [{ name: "a", command: "x" }, { command: "y" }];
  expect(serversIn(clients.continue, { mcpServers: [first, second] })).toEqual([
    { rawName: "a", command: ["x"], entry: first },
    { rawName: "", command: ["y"], entry: second },
  ]);
});
