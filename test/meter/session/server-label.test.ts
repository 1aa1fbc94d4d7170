import { describe, expect, test } from "bun:test";
import { makeServerLabel } from "#meter/session/server-label.ts";

describe("serverLabel", () => {
  const rows: readonly (readonly [command: readonly string[], label: string])[] = [
    [["/usr/bin/garden"], "garden"],
    [["./garden-server", "--port", "1"], "garden-server"],
    [["garden.exe"], "garden"],
    [["npx", "-y", "@scope/server-garden"], "server-garden"],
    [["npx", "-y", "@scope/server-garden@1.2.3", "/data"], "server-garden"],
    [["npx", "garden@latest"], "garden"],
    [["npx.cmd", "garden"], "garden"],
    [["bunx", "--bun", "garden"], "garden"],
    [["uvx", "mcp-server-git"], "mcp-server-git"],
    [["uv", "run", "server.py"], "server.py"],
    [["uv", "tool", "run", "garden"], "garden"],
    [["node", "dist/index.js", "stdio"], "index.js"],
    [["bun", "run", "server.ts"], "server.ts"],
    [["python3", "-m", "garden"], "garden"],
    [["python", "/srv/garden/main.py"], "main.py"],
    [["node", String.raw`C:\garden\node_modules\@scope\server\dist\index.js`], "index.js"],
    [["node", "/srv/garden/node_modules/@scope/server/dist/index.js"], "index.js"],
    [["node"], "node"],
    [["node", "--version"], "node"],
    [["docker", "run", "-i", "--rm", "garden"], "docker"],
    [["npx", ""], "npx"],
    [["node", "/"], "node"],
    [["uvx", "git+https://me:pw@host/garden@v1"], "garden"],
    [[""], ""],
    [[], ""],
  ];
  for (const [command, label] of rows) {
    test(`${JSON.stringify(command)} is ${JSON.stringify(label)}`, () => {
      expect(makeServerLabel(command)).toBe(label);
    });
  }

  const secret = "hunter2";
  const leaking: readonly (readonly string[])[] = [
    ["sh", "-c", `TOKEN=${secret} ./server`],
    ["sh", "-c", secret],
    ["env", `TOKEN=${secret}`, "node", "server.js"],
    ["env", "-i", `TOKEN=${secret}`, "./server"],
    ["node", "-e", `run("${secret}")`],
    ["node", "--eval", secret],
    ["python3", "-c", secret],
    ["npx", "--token", secret, "garden"],
    ["uvx", "--index-url", `https://me:${secret}@example.org/simple`, "garden"],
    ["bun", "--env-file", secret, "server.ts"],
    ["uvx", `git+https://me:${secret}@host`],
    ["deno", "eval", secret],
  ];
  for (const command of leaking) {
    test(`${command.slice(0, 2).join(" ")} … leaks no value of an argument into a label`, () => {
      expect(makeServerLabel(command)).not.toContain(secret);
    });
  }
});
