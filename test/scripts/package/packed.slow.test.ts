import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { mainPackage, platformPackage, ownPlatform } from "../../../scripts/package/platforms.ts";
import { packMain, packPlatform } from "../../../scripts/package/npm.ts";
import { writeBundle } from "../../../scripts/package/listing.ts";
import { sha256 } from "../../../scripts/package/archive.ts";
import { Folder } from "../../support/folder.ts";
import { has } from "../../support/needs.ts";
import { executable } from "../../support/servers.ts";
import { eventually } from "../../support/wait.ts";
import { version } from "#kit/version.ts";

setDefaultTimeout(120_000);

const isThere = has("npm", "installation of packages");

const runners = [
  ["Node", Bun.which("node") ?? undefined],
  ["the Node of TESTED_NODE", process.env["TESTED_NODE"]],
  ["Bun", process.execPath],
].flatMap(([name = "", runner]) => (runner === undefined ? [] : [[name, runner] as const]));

const folder = new Folder();
const [whole, bare, global] = [folder.at("whole"), folder.at("bare"), folder.at("global")];
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder.at("home"),
  XDG_STATE_HOME: folder.at("state"),
  MCP_METER_SUMMARY: "off",
};

beforeAll(async () => {
  if (!isThere) return;
  const packages = folder.at("packages");
  for (const made of [packages, whole, bare, folder.at("home")]) mkdirSync(made);
  const main = await packMain(packages);
  const platform = await packPlatform(ownPlatform(), executable(), packages);
  install(whole, [main, platform]);
  install(bare, [main, "--omit=optional", "--global", "--prefix", global]);
});

afterAll(() => folder[Symbol.dispose]());

function install(into: string, words: readonly string[]): void {
  writeFileSync(join(into, "package.json"), "{}");
  const flags = [
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
  ];
  const cache = ["--cache", folder.at("cache")];
  const { exitCode, stderr } = Bun.spawnSync(["npm", "install", ...flags, ...cache, ...words], {
    cwd: into,
    env,
  });
  expect([stderr.toString(), exitCode]).toEqual(["", 0]);
}

const command = join(whole, "node_modules", ".bin", "mcp-meter");

function installed(name: string): string {
  return join(whole, "node_modules", ...name.split("/"));
}

async function run(runner: string, words: readonly string[], input = "") {
  const child = Bun.spawn([runner, command, ...words], {
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    env,
  });
  const [stdout, stderr, status] = await Promise.all([
    child.stdout.bytes().then((bytes) => Buffer.from(bytes)),
    child.stderr.text(),
    child.exited,
  ]);
  return { stdout, stderr, status };
}

test.skipIf(!isThere)(
  "the packages have the files that users need, and the executable is whole",
  () => {
    const platform = installed(platformPackage(ownPlatform()));
    for (const file of ["LICENSE", "third-party-notices.txt", "bin/mcp-meter"]) {
      expect([file, existsSync(join(platform, file))]).toEqual([file, true]);
    }
    for (const file of ["LICENSE", "README.md", "man/mcp-meter.1", "bin/mcp-meter.js"]) {
      expect([file, existsSync(join(installed(mainPackage), file))]).toEqual([file, true]);
    }
    const [sum, name] = readFileSync(join(platform, "mcp-meter.sha256"), "utf8").trim().split("  ");
    expect(sha256(join(platform, name ?? ""))).toBe(sum ?? "");
    expect(sha256(executable())).toBe(sum ?? "");
  },
);

test.skipIf(!isThere)("a global installation has the manual page where man finds it", () => {
  const page = join(global, "share", "man", "man1", "mcp-meter.1");
  expect(existsSync(page)).toBe(true);
});

describe.each(runners)("on %s, the installed command", (_, runner) => {
  test.skipIf(!isThere)("is this version, and counts", async () => {
    const found = await run(runner, ["--version"]);
    expect([found.stdout.toString(), found.stderr]).toEqual([`${version}\n`, ""]);
    const counted = await run(runner, ["count"], "two words");
    expect(counted.stdout.toString()).toBe("2\n");
  });

  test.skipIf(!isThere)("ends as the server does, and passes a megabyte through", async () => {
    for (const [words, status] of [
      [["run", "--", "true"], 0],
      [["run", "--", "sh", "-c", "exit 7"], 7],
      [["--no-such-option", "--", "true"], 125],
      [["run", "--", "./no-such-server"], 127],
    ] as const) {
      expect([words, (await run(runner, words)).status]).toEqual([words, status]);
    }
    const line = `{"jsonrpc":"2.0","method":"x","params":"${"y".repeat(1_000)}"}\n`;
    const input = line.repeat(1_000);
    const { stdout, status } = await run(runner, ["run", "--", "cat"], input);
    expect([stdout.toString() === input, status]).toEqual([true, 0]);
  });
});

/** True for a runner with `process.execve`: Bun, and Node from 22.15 on. */
function becomes(runner: string): boolean {
  const code = "process.exit(typeof process.execve === 'function' ? 0 : 1)";
  return Bun.spawnSync([runner, "-e", code]).exitCode === 0;
}

test.skipIf(!isThere).each(runners.filter(([, runner]) => becomes(runner)))(
  "on %s, nothing is left of the shim: the process is the executable",
  async (_, runner) => {
    const child = Bun.spawn([runner, command, "run", "--", "cat"], {
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      env,
    });
    const exe = `/proc/${child.pid}/exe`;
    const program = join(installed(platformPackage(ownPlatform())), "bin", "mcp-meter");
    await eventually("the process is the executable", () => realPath(exe) === program);
    await child.stdin.end();
    expect(await child.exited).toBe(0);
  },
);

function realPath(link: string): string | undefined {
  const { stdout, exitCode } = Bun.spawnSync(["readlink", link]);
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

const bundleTool = join(
  import.meta.dir,
  "../../../node_modules/@anthropic-ai/mcpb/dist/cli/cli.js",
);

test("the bundle unpacks with the tool of its format, and its server offers the tools that it names", async () => {
  const unpacked = folder.at("unpacked");
  const bundle = writeBundle(ownPlatform(), executable(), folder.path);
  for (const words of [
    ["unpack", bundle, unpacked],
    ["validate", join(unpacked, "manifest.json")],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, bundleTool, ...words]);
    expect([words[0], exitCode, stderr.toString()]).toEqual([words[0], 0, ""]);
  }
  const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8"));
  const { command: program, args } = manifest.server.mcp_config;
  const client = new Client({ name: "host", version: "1" });
  const started = program.replace("${__dirname}", unpacked);
  await client.connect(new StdioClientTransport({ command: started, args, env, stderr: "ignore" }));
  const { tools } = await client.listTools();
  expect(client.getServerVersion()).toMatchObject({ name: "mcp-meter", version });
  expect(tools.map(({ name, description }) => ({ name, description }))).toEqual(manifest.tools);
  await client.close();
});
