import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import {
  countProjectServers,
  findConfiguredServers,
  hasProjectSettings,
  isStartable,
  configuredNameCharactersMax,
} from "#commands/profile/configured-servers.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

const all = { clients: [], project: undefined };

function found(folder: Folder, choice: Parameters<typeof findConfiguredServers>[0] = all) {
  return findConfiguredServers(choice, { env: { HOME: folder.path }, platform: "linux" });
}

function write(folder: Folder, name: string, value: unknown): string {
  mkdirSync(folder.at(name, ".."), { recursive: true });
  return folder.file(name, typeof value === "string" ? value : JSON.stringify(value));
}

const mcpServers = { a: { command: "x" }, far: { url: "https://example.com" } };

test("servers of several clients are found with their files", () => {
  using folder = new Folder();
  const claude = write(folder, ".claude.json", { mcpServers });
  const codex = write(folder, ".codex/config.toml", '[mcp_servers.b]\ncommand = "y"\n');
  const { servers, unreadable } = found(folder);
  expect(unreadable).toEqual([]);
  expect(servers).toMatchObject([
    { client: "claude-code", server: "a", file: claude, scope: "user" },
    { client: "claude-code", server: "far", launch: { kind: "remote" } },
    { client: "codex", server: "b", file: codex, launch: { command: ["y"] } },
  ]);
  expect(servers.map(isStartable)).toEqual([true, false, true]);
  expect(found(folder, { ...all, clients: ["codex"] }).servers).toHaveLength(1);
});

test("servers that only a project has are counted, in the files that all projects share", () => {
  using folder = new Folder();
  const projects = { "/p": { mcpServers }, "/q": { mcpServers: { b: { command: "y" } } } };
  write(folder, ".claude.json", { mcpServers, projects });
  const world = { env: { HOME: folder.path }, platform: "linux" } as const;
  expect(countProjectServers(all, world)).toBe(3);
  expect(countProjectServers({ ...all, clients: ["codex"] }, world)).toBe(0);
});

test("servers of a project are found when it is named, and replace others of their name", () => {
  using folder = new Folder();
  const project = folder.at("p");
  const projects = { [project]: { mcpServers: { a: { command: "local" } } }, "/q": { mcpServers } };
  write(folder, ".claude.json", { mcpServers: { ...mcpServers, b: { command: "x" } }, projects });
  const shared = { a: { command: "shared" }, b: { command: "shared" } };
  write(folder, "p/.mcp.json", { mcpServers: shared });
  const userServers = found(folder, { clients: ["claude-code"], project: undefined }).servers;
  expect(userServers.map(({ server, scope }) => `${server} ${scope}`)).toEqual([
    "a user",
    "far user",
    "b user",
  ]);
  const both = found(folder, { clients: ["claude-code"], project }).servers;
  expect(both).toMatchObject([
    { server: "a", scope: "project", launch: { command: ["local"], cwd: project } },
    { server: "b", scope: "project", launch: { command: ["shared"] } },
    { server: "far", scope: "user" },
  ]);
});

test("unreadable settings are named, without their text", () => {
  using folder = new Folder();
  const file = write(folder, ".cursor/mcp.json", '{"mcpServers": {"a": {"env": {"K": "canary}');
  const result = found(folder);
  expect(result).toMatchObject({ servers: [], unreadable: [{ client: "cursor", file, line: 1 }] });
  expect(JSON.stringify(result)).not.toContain("canary");
});

test("a name is cut, and secrets in it are masked", () => {
  using folder = new Folder();
  const long = "n".repeat(configuredNameCharactersMax + 1);
  const url = "https://u:canary@example.com";
  write(folder, ".cursor/mcp.json", {
    mcpServers: { [long]: { command: "x" }, [url]: { command: "x" } },
  });
  const names = found(folder).servers.map(({ server }) => server);
  expect(names).toEqual([long.slice(1), "https://u:***@example.com"]);
});

test("without a home nothing can be found", () => {
  const world = { env: {}, platform: "linux" };
  expect(thrownBy(() => findConfiguredServers(all, world))).toBe(
    "Cannot find the settings of MCP clients: set HOME",
  );
});

test("a folder with project settings is recognized, and the user's settings are none", () => {
  using folder = new Folder();
  const world = { env: { HOME: folder.path }, platform: "linux" };
  write(folder, ".cursor/mcp.json", { mcpServers });
  expect(hasProjectSettings(folder.path, world)).toBe(false);
  const [server] = found(folder, { ...all, project: folder.path }).servers;
  expect(server?.scope).toBe("user");
  write(folder, "p/.mcp.json", {});
  expect(hasProjectSettings(folder.at("p"), world)).toBe(true);
});
