import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { commands } from "#commands/index.ts";
import { runCli } from "../../src/cli.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder } from "../support/folder.ts";

setDefaultTimeout(60_000);

const long = `花園-${"very-long-name-".repeat(9)}`;
const terminal = { isTerminal: true, columns: 80 };
// A wider name, or a command, stays whole on its own line, so that it can be copied.
const command = /^\w*\s*"?(?:mcp-meter|mkdir) /;
const fits = (line: string): boolean =>
  width(line) <= 80 || !line.trim().includes(" ") || command.test(line);
// Tabs are as wide as a terminal may draw them.
const width = (line: string): number => Bun.stringWidth(line.replaceAll("\t", " ".repeat(8)));

let home: Folder;
let server: readonly string[];

beforeAll(() => {
  home = new Folder();
  const script = join(import.meta.dir, "../fixtures/lists-tools.ts");
  server = [process.execPath, script, long];
  const mcpServers = {
    [long]: {
      command: process.execPath,
      args: [script, long, "x".repeat(200)],
    },
    far: { url: `https://example.com/${long}` },
  };
  home.file(".claude.json", JSON.stringify({ mcpServers }, undefined, "\t"));
  home.file(`${long}.txt`, "text");
  for (const folder of [".local/state/mcp-meter/sessions/2026-01-01", ".config/mcp-meter"])
    mkdirSync(home.at(folder), { recursive: true });
  home.file(`.local/state/mcp-meter/sessions/2026-01-01/${long}.ndjson`, "{}\n");
  home.file(
    ".config/mcp-meter/config.json",
    JSON.stringify({ log: `/${long}/${long}`, nothing: 1, servers: { [long]: { slow: 3 } } }),
  );
});

afterAll(() => home[Symbol.dispose]());

async function print(argv: readonly string[]): Promise<string[]> {
  const { io, stdout, stderr } = fakeIo({
    argv,
    env: { HOME: home.path, PATH: process.env["PATH"], NO_COLOR: "1" },
    stdout: terminal,
    stderr: terminal,
  });
  await runCli({ ...io, validatorCommand: [home.at("mcp-meter")] });
  return `${stdout()}${stderr()}`.split("\n");
}

const helps = Object.keys(commands).flatMap((name) => [
  [name, "--help"],
  [name, "--help", "all"],
]);

test.each(helps)(
  "%s %s %s fits 80 columns, and a screen unless all is asked for",
  async (...argv) => {
    const lines = await print(argv.filter((word) => word !== undefined));
    expect(lines.filter((line) => !fits(line))).toEqual([]);
    if (argv.length === 2) expect(lines.length - 1).toBeLessThanOrEqual(60);
  },
);

const outputs: readonly (readonly string[])[] = [
  ["wrap", "--dry-run"],
  ["wrap", "--dry-run", "--remote"],
  ["wrap", "--list"],
  ["unwrap", "--dry-run"],
  ["wrap", "--dry-run", "--settings-of", "zed"],
  ["wrap", long],
  ["run", "--machine", "off", "--lock", `/${long}.lock`, "--", "true"],
  ["run", "--model", "unknown", "--", `/${long}`],
  ["profile", "--configured"],
  ["profile", "--configured", "--yes", "--max-total", "1"],
  ["profile", "--max-total", "1", "--", "SERVER"],
  ["profile", "--", "SERVER", "other"],
  ["profile", "--", long],
  ["lock", "--lock", "HOME/a.lock", "--", "SERVER"],
  ["lock", "--check", "--lock", "HOME/a.lock", "--max-tool", "1", "--", "SERVER"],
  ["lock", "--check", "--lock", "HOME/a.lock", "--", "SERVER", "other", "another-tool"],
  ["check", "--lock", "HOME/a.lock", "--", "SERVER", "other", "another-tool"],
  ["check", "--no-lock", "--max-total", "1", "--", "SERVER"],
  ["check", "--lock", `/${long}.lock`, "--", "SERVER"],
  ["count", `HOME/${long}.txt`, "HOME/.claude.json"],
  ["count", `/${long}`],
  ["config", "--server", long],
  ["doctor"],
  ["prune", "--older-than", "1h"],
  ["budgets"],
  ["import", "--dry-run"],
  ["validate"],
  ["run", `--${long}`],
  ["help", long],
  ["report"],
  [],
];

test.each(outputs)("%s %s fits 80 columns, whatever is named", async (...argv) => {
  const words = argv
    .filter((word) => word !== undefined)
    .flatMap((word) => (word === "SERVER" ? server : [word.replace("HOME", home.path)]));
  const lines = await print(words);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.filter((line) => !fits(line))).toEqual([]);
});

test("the comments of wrap --print fit 80 columns; the lines to paste stay whole", async () => {
  const lines = await print(["wrap", "--print", "--remote"]);
  const comments = lines.filter((line) => line.startsWith("# "));
  expect(comments.length).toBeGreaterThan(2);
  expect(comments.filter((line) => width(line) > 80 && line.slice(2).includes(" "))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('"args": ['))).toHaveLength(2);
});
