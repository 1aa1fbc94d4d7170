import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { small } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { type Extra, filesBelow, recordsIn, runMeter } from "./run.ts";

const home = eachHome();

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["fail", {}],
]);

const session = (options: readonly string[], extra: Extra = {}) =>
  runMeter(home, [...options, "--", ...small().argv], { input, ...extra });

const isJsonSummary = (stderr: string): boolean => {
  try {
    const summary: unknown = JSON.parse(stderr);
    return typeof summary === "object" && summary !== null && "tools" in summary;
  } catch {
    return false;
  }
};

const summaryJson = '{\n  // a comment is fine\n  "summary": "json",\n  "log": "off",\n}\n';

describe("--summary", () => {
  test("is a table without colour where stderr is not a terminal", async () => {
    const { stderr, status } = await session([]);
    expect(status).toBe(0);
    expect(stderr).toContain("echo");
    expect(stderr).toContain("fail");
    expect(stderr).not.toContain("\u001b");
  });

  test("is without colour when NO_COLOR asks for it, whatever FORCE_COLOR says", async () => {
    const { stderr } = await session([], { env: { NO_COLOR: "1", FORCE_COLOR: "1" } });
    expect(stderr).toContain("echo");
    expect(stderr).not.toContain("\u001b");
  });

  test("off is silence", async () => {
    expect((await session(["--summary", "off"])).stderr).toBe("");
  });
});

describe("--log", () => {
  test("- writes the records to stderr", async () => {
    const { stderr, stdout } = await session(["--log", "-", "--summary", "off"]);
    const types = (await recordsIn(stderr)).map(({ type }) => type);
    expect(types[0]).toBe("session");
    expect(types.at(-1)).toBe("end");
    expect(stdout).toContain("hello");
    expect(home.logs()).toEqual([]);
  });

  test("off keeps none, and makes no folder", async () => {
    await session(["--log", "off"]);
    expect(existsSync(join(home.path, "state"))).toBe(false);
  });
});

describe("where options come from: flags, then environment, then file", () => {
  test("--config FILE", async () => {
    const file = join(home.path, "mine.json");
    writeFileSync(file, summaryJson);
    expect(isJsonSummary((await session(["--config", file])).stderr)).toBe(true);
    const env = { MCP_METER_SUMMARY: "off" };
    expect((await session(["--config", file], { env })).stderr).toBe("");
  });

  test("never the working directory", async () => {
    const cwd = join(home.path, "project");
    mkdirSync(join(cwd, ".config", "mcp-meter"), { recursive: true });
    for (const name of ["config.json", "mcp-meter.json", ".config/mcp-meter/config.json"]) {
      writeFileSync(join(cwd, name), '{ "summary": "off" }');
    }
    expect((await session([], { cwd })).stderr).toContain("echo");
  });

  test("nor a program or variables that lie in it, for us or for the server", async () => {
    const cwd = join(home.path, "project");
    mkdirSync(cwd);
    writeFileSync(join(cwd, ".env"), "MCP_METER_SUMMARY=off\nCANARY=from-dotenv\n");
    writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(cwd, "evil.ts"), 'console.log("preloaded");\n');
    const run = await runMeter(home, ["--", "sh", "-c", 'echo "[$CANARY]"'], { cwd });
    expect(run.stdout).toBe("[]\n");
  });
});

describe("a session without a message", () => {
  const silent: readonly (readonly string[])[] = [
    ["--", "true"],
    ["--summary", "json", "--", "true"],
    ["--", "cat"],
  ];
  for (const args of silent) {
    test(`mcp-meter ${args.join(" ")} prints nothing and leaves no file`, async () => {
      const run = await runMeter(home, args);
      expect(run).toEqual({ stdout: "", stderr: "", status: 0 });
      expect(filesBelow(join(home.path, "state"))).toEqual([]);
    });
  }
});
