import { join, resolve } from "node:path";

/** One way to start a server: what a host would write into its configuration. */
export type ServerCommand = {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
};

export type ReachedServer = ServerCommand | URL;

const root = join(import.meta.dir, "..", "..");

/** The real servers run on Node, as their authors do; where there is none, on this Bun. */
const node = Bun.which("node") ?? process.execPath;

const installed = (name: string): string =>
  join(root, "node_modules", "@modelcontextprotocol", name, "dist", "index.js");

const fixture = (file: string): string => join(root, "test", "e2e", "fixtures", file);

/** Every kind of content, progress, tasks, sampling, elicitation; SDK v1, revisions up to 2025-11-25. */
export const everything = (): ServerCommand => ({
  name: "server-everything",
  argv: [node, installed("server-everything"), "stdio"],
  env: {},
});

/** The same over HTTP, on the port in the variable `PORT`. */
export const everythingOverHttp = (): readonly string[] => [
  node,
  installed("server-everything"),
  "streamableHttp",
];

/** SDK v2 server that speaks both eras over HTTP; prints its port. */
export const modernOverHttp = (): readonly string[] => [
  process.execPath,
  fixture("modern-http-server.ts"),
];

/** SDK v1 server over HTTP whose streams can be resumed; prints its port. With `isTwice`, resumed streams have each message twice. */
export const resumableOverHttp = (isTwice: boolean): readonly string[] => [
  process.execPath,
  fixture("resumable-http-server.ts"),
  ...(isTwice ? ["again"] : []),
];

/** An MCP App: a tool with a page, and one that only the page calls. */
export const systemMonitor = (): ServerCommand => ({
  name: "server-system-monitor",
  argv: [node, installed("server-system-monitor"), "--stdio"],
  env: {},
});

export const filesystem = (directory: string): ServerCommand => ({
  name: "server-filesystem",
  argv: [node, installed("server-filesystem"), directory],
  env: {},
});

export const memory = (file: string): ServerCommand => ({
  name: "server-memory",
  argv: [node, installed("server-memory")],
  env: { MEMORY_FILE_PATH: file },
});

/** SDK v2 server that speaks both eras: multi-round trips, subscriptions, instructions. */
export const modern = (): ServerCommand => ({
  name: "modern-fixture",
  argv: [process.execPath, fixture("modern-server.ts")],
  env: {},
});

/** SDK v2 server with the tasks extension of the 2026 era, which the SDK leaves to its user. */
export const modernTasks = (): ServerCommand => ({
  name: "modern-tasks-fixture",
  argv: [process.execPath, fixture("modern-tasks-server.ts")],
  env: {},
});

/** SDK v1 server that asks its client for a model's answer, a person's answer and its roots. */
export const legacy = (): ServerCommand => ({
  name: "legacy-fixture",
  argv: [process.execPath, fixture("legacy-server.ts")],
  env: {},
});

/** The executable under test; another wrapper can stand in for it. */
export const executable = (): string =>
  resolve(root, process.env["TESTED_EXECUTABLE"] ?? join("dist", "mcp-meter"));

export const metered = (server: ServerCommand, options: readonly string[] = []): ServerCommand => ({
  ...server,
  argv: [executable(), ...options, "--", ...server.argv],
});
