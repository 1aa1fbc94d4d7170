import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { executable, small } from "../support/servers.ts";
import { eachFirst } from "../support/slow-cases.ts";
import { type Home, makeHome, runBare, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;

beforeAll(async () => {
  home = makeHome();
  const folder = join(home.path, "state", "mcp-meter", "sessions", "2026-11-22");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const common = { ts: new Date().toISOString() };
  const records = [sessionRecord(common), callRecord({ ...common, seq: 1 })];
  writeFileSync(
    join(folder, "a.ndjson"),
    records.map((one) => `${JSON.stringify(one)}\n`).join(""),
  );
  writeFileSync(join(home.path, "text"), "some words");
  await runMeter(home, ["lock", "--", ...small().argv]);
});

afterAll(() => home.remove());

const lines: { readonly [name: string]: readonly string[] } = {
  report: ["report"],
  count: ["count", "text"],
  profile: ["profile", "--", ...small().argv],
  lock: ["lock", "--check", "--", ...small().argv],
  check: ["check", "--", ...small().argv],
  budgets: ["budgets"],
  config: ["config"],
  doctor: ["doctor"],
  prune: ["prune", "--older-than", "90d"],
  tail: ["tail", "-n", "1"],
};

function lineWith(name: string, ...options: readonly string[]): string[] {
  const words = [...(lines[name] ?? [])];
  const cut = words.indexOf("--");
  words.splice(cut < 0 ? words.length : cut, 0, ...options);
  return words;
}

const quoted = (words: readonly string[]): string =>
  [executable(), ...words].map((word) => `'${word}'`).join(" ");

const inShell = (script: string) =>
  runBare(["bash", "-c", script], { env: home.env, cwd: home.path });

const printing = Object.keys(lines);
const ending = printing.filter((name) => name !== "tail");

describe("a command that prints", () => {
  test.each(ending)("%s --json -o FILE writes the JSON that --json prints", async (name) => {
    const file = join(home.path, `${name}.json`);
    const printed = await runMeter(home, lineWith(name, "--json"));
    const written = await runMeter(home, lineWith(name, "--json", "-o", file));
    expect([written.status, written.stdout]).toEqual([printed.status, ""]);
    const kinds = [printed.stdout, readFileSync(file, "utf8")].map((text) =>
      Object.keys(JSON.parse(text)),
    );
    expect(kinds[1]).toEqual(kinds[0] ?? []);
  });

  test.each(printing)(
    "%s to a full disk, or to no folder, is a sentence and 2 (slow)",
    async (name) => {
      const full = await inShell(`${quoted(lineWith(name))} > /dev/full`);
      expect([full.status, full.stderr]).toEqual([
        2,
        "mcp-meter: Cannot write to stdout: no space left on the disk\n",
      ]);
      for (const file of ["/dev/full", join(home.path, "no", "file")]) {
        const { status, stdout, stderr } = await runMeter(home, lineWith(name, "-o", file));
        expect([status, stdout]).toEqual([2, ""]);
        expect(stderr).toStartWith(`mcp-meter: Cannot write "${file}": `);
      }
    },
  );

  eachFirst(4, printing)("%s ends quietly when its reader leaves", async (name) => {
    const script = `${quoted(lineWith(name))} | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await inShell(script);
    expect([stdout, stderr]).toEqual(["0\n", ""]);
  });
});

describe("run", () => {
  test("takes --format, --json and -o for the options of its summary", async () => {
    const file = join(home.path, "summary.json");
    const server = ["sh", "-c", `read a; echo '{"jsonrpc":"2.0","id":1,"result":{}}'`];
    const input = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}\n`;
    const ran = (...options: readonly string[]) =>
      runMeter(home, [...options, "--", ...server], {
        input,
        env: { MCP_METER_FORMAT: "csv", MCP_METER_SUMMARY: "markdown" },
      });
    expect((await ran()).stderr).toStartWith("### mcp-meter");
    expect(JSON.parse((await ran("--json")).stderr)).toHaveProperty("total");
    expect((await ran("--format", "table")).stderr).toContain("\ntotal ");
    const written = await ran("--json", "-o", file);
    expect(written.status).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toHaveProperty("total");
  });

  test("prune and budgets change nothing when their output has no folder", async () => {
    const missing = join(home.path, "no", "file");
    for (const words of [
      ["prune", "--keep-bytes", "0", "--yes", "-o", missing],
      ["budgets", "--reset", "*", "-o", missing],
    ]) {
      const { status, stderr } = await runMeter(home, words);
      expect([status, stderr]).toEqual([
        2,
        `mcp-meter: Cannot write "${missing}": no such file or directory\n`,
      ]);
    }
    expect(
      existsSync(join(home.path, "state", "mcp-meter", "sessions", "2026-11-22", "a.ndjson")),
    ).toBe(true);
  });
});

test("help takes one command, and knows -V", async () => {
  const program = await runMeter(home, ["help"]);
  expect((await runMeter(home, ["help", "help"])).stdout).toBe(program.stdout);
  expect((await runMeter(home, ["help", "-V"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const [words, sentence] of [
    [["help", "--fruit"], 'unknown option "--fruit"; see "mcp-meter help --help"'],
    [["help", "run", "report"], 'unexpected argument "report"'],
    [["help", "--", "x", "y"], 'unexpected argument "y"'],
    [["help", "foo"], 'unknown command "foo"; list all with "mcp-meter help"'],
    [["help", "reprot"], 'unknown command "reprot"; did you mean "report"?'],
  ] as const) {
    const { status, stderr } = await runMeter(home, words);
    expect([status, stderr]).toEqual([2, `mcp-meter: ${sentence}\n`]);
  }
});
