import { renameSync } from "node:fs";
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

const bundles = new Map<string, string>();

/** One file with the SDK in it starts in half the time. Built once a process, because its sources may have changed. */
function bundle(name: string): string {
  const known = bundles.get(name);
  if (known !== undefined) return known;
  const file = join(root, "dist", "test-servers", `${name}.js`);
  const unfinished = `${file}.${process.pid}`;
  const source = join(root, "test", "e2e", "fixtures", `${name}.ts`);
  const build = ["build", "--target=bun", "--minify", source, "--outfile", unfinished];
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...build]);
  if (exitCode !== 0) throw new Error(`cannot bundle ${name}: ${stderr.toString()}`);
  renameSync(unfinished, file);
  bundles.set(name, file);
  return file;
}

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
  bundle("modern-http-server"),
];

export const resumableOverHttp = (isTwice: boolean): readonly string[] => [
  process.execPath,
  bundle("resumable-http-server"),
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
  argv: [process.execPath, bundle("modern-server")],
  env: {},
});

export const modernTasks = (): ServerCommand => ({
  name: "modern-tasks-fixture",
  argv: [process.execPath, bundle("modern-tasks-server")],
  env: {},
});

export const legacy = (): ServerCommand => ({
  name: "legacy-fixture",
  argv: [process.execPath, bundle("legacy-server")],
  env: {},
});

/** For sessions in which the server does not matter. */
export const small = (): ServerCommand => ({
  name: "small-fixture",
  argv: [process.execPath, join(root, "test", "e2e", "fixtures", "small-server.ts")],
  env: {},
});

export const executable = (): string =>
  resolve(root, process.env["TESTED_EXECUTABLE"] ?? join("dist", "mcp-meter"));

export const metered = (server: ServerCommand, options: readonly string[] = []): ServerCommand => ({
  ...server,
  argv: [executable(), ...options, "--", ...server.argv],
});
