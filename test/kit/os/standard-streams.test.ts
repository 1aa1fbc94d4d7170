import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { openPipe } from "#kit/os/pipe.ts";
import { makeLenientWriter } from "#kit/os/standard-streams.ts";
import { Folder } from "../../support/folder.ts";
import { eventually } from "../../support/wait.ts";

const main = join(import.meta.dir, "../../../src/main.ts");
const module = join(import.meta.dir, "../../../src/kit/os/standard-streams.ts");

// A reader of 4 KiB per millisecond needs more than 2,000 attempts.
const textBytes = 6_000_000;

test("writes all of a text to a file, which is not a terminal and has no columns", async () => {
  using folder = new Folder();
  const fd = openSync(folder.at("out"), "w");
  const writer = makeLenientWriter(fd, { COLUMNS: "80" });
  writer.write("é".repeat(100_000));
  writer.write("\nmore");
  expect([writer.isTerminal, await writer.measureColumns()]).toEqual([false, undefined]);
  closeSync(fd);
  expect(readFileSync(folder.at("out"), "utf8")).toBe(`${"é".repeat(100_000)}\nmore`);
});

test("a lenient writer to a descriptor that is closed or full loses the text and nothing else", () => {
  const full = openSync("/dev/full", "w");
  makeLenientWriter(full, {}).write("lost");
  closeSync(full);
  makeLenientWriter(full, {}).write("lost too");
});

function runShell(script: string): { status: number; stdout: string; stderr: string } {
  const meter = 'meter() { "$BUN" "$MAIN" "$@"; }';
  const env = { ...process.env, BUN: process.execPath, MAIN: main };
  const ran = Bun.spawnSync(["bash", "-c", `${meter}; ${script}`], { env });
  return {
    status: ran.exitCode,
    stdout: ran.stdout.toString(),
    stderr: ran.stderr.toString(),
  };
}

test.each([
  ['count "$MAIN"', 2],
  ['count --json "$MAIN"', 2],
  ["help count", 2],
  ["--version", 125],
])("%s fails with a sentence when stdout cannot be written", (line, exit) => {
  const { status, stderr } = runShell(`meter ${line} >/dev/full`);
  expect(stderr).toBe("mcp-meter: Cannot write to stdout: no space left on the disk\n");
  expect(status).toBe(exit);
});

test("stderr that cannot be written does not change the exit code", () => {
  expect(runShell("meter count /nonexistent 2>/dev/full").status).toBe(2);
});

test("a reader that closes the pipe ends the output without a sentence", () => {
  const { status, stderr } = runShell("set -o pipefail; { sleep 0.1; meter --help; } | true");
  expect([status, stderr]).toEqual([0, ""]);
});

test.skipIf(process.platform !== "linux")(
  "a slow reader receives all, if it takes some from time to time",
  async () => {
    using folder = new Folder();
    const program = folder.file(
      "write.ts",
      `import { findC } from ${JSON.stringify(join(module, "../c-library.ts"))};
       import { makeStdoutWriter } from ${JSON.stringify(module)};
       const [setFlags, nonBlocking] = [4, 0o4000];
       findC().fcntl(1, setFlags, nonBlocking);
       makeStdoutWriter({}).write("x".repeat(${textBytes}));`,
    );
    const pipe = openPipe(process.platform);
    if (!pipe) throw new Error("no pipe");
    const child = Bun.spawn([process.execPath, program], { stdout: pipe.writeEnd });
    closeSync(pipe.writeEnd);
    const chunk = Buffer.alloc(4_096);
    let readBytes = 0;
    for (let count = -1; count !== 0;) {
      count = readSync(pipe.readEnd, chunk);
      readBytes += count;
      Bun.sleepSync(1);
    }
    closeSync(pipe.readEnd);
    expect([readBytes, await child.exited]).toEqual([textBytes, 0]);
  },
);

test("knows the width of a terminal, and COLUMNS before that", async () => {
  using folder = new Folder();
  const program = folder.file(
    "width.ts",
    `import { makeLenientWriter } from ${JSON.stringify(module)};
     const writer = makeLenientWriter(1, process.env);
     writer.write(JSON.stringify([writer.isTerminal, await writer.measureColumns()]) + "\\n");`,
  );
  const measureWidth = async (env: { readonly [name: string]: string }): Promise<string> => {
    const chunks: Uint8Array[] = [];
    const child = Bun.spawn([process.execPath, program], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      terminal: { cols: 63, rows: 20, data: (_terminal, chunk) => void chunks.push(chunk) },
    });
    await child.exited;
    const shown = () => Buffer.concat(chunks).toString();
    await eventually("a line", () => shown().includes("\n"));
    return shown().trim();
  };
  expect(await measureWidth({})).toBe("[true,63]");
  expect(await measureWidth({ COLUMNS: "50" })).toBe("[true,50]");
});
