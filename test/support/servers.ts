import { join, resolve } from "node:path";

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

export const everything = (): ServerCommand => ({
  name: "server-everything",
  argv: [node, installed("server-everything"), "stdio"],
  env: {},
});

export const everythingOverHttp = (): readonly string[] => [
  node,
  installed("server-everything"),
  "streamableHttp",
];

export const modernOverHttp = (): readonly string[] => [
  process.execPath,
  fixture("modern-http-server.ts"),
];

export const resumableOverHttp = (isTwice: boolean): readonly string[] => [
  process.execPath,
  fixture("resumable-http-server.ts"),
  ...(isTwice ? ["again"] : []),
];

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

export const modern = (): ServerCommand => ({
  name: "modern-fixture",
  argv: [process.execPath, fixture("modern-server.ts")],
  env: {},
});

export const modernTasks = (): ServerCommand => ({
  name: "modern-tasks-fixture",
  argv: [process.execPath, fixture("modern-tasks-server.ts")],
  env: {},
});

export const legacy = (): ServerCommand => ({
  name: "legacy-fixture",
  argv: [process.execPath, fixture("legacy-server.ts")],
  env: {},
});

export const executable = (): string =>
  resolve(root, process.env["TESTED_EXECUTABLE"] ?? join("dist", "mcp-meter"));

export const metered = (server: ServerCommand, options: readonly string[] = []): ServerCommand => ({
  ...server,
  argv: [executable(), ...options, "--", ...server.argv],
});
