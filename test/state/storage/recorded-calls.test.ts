import { expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCallsFile, RecordedCalls, callsBytesMax } from "#state/storage/calls-file.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
const quiet = (): never => expect.unreachable();

test("RecordedCalls writes a calls file that check reads, for its owner alone, and continues it", async () => {
  const file = join(folder.path, "calls.yaml");
  for (const tool of ["a", "b"]) {
    const calls = RecordedCalls.open(file, quiet);
    calls.add({ tool, arguments: { text: "two\nlines", "<<": [1] } });
    // oxlint-disable-next-line no-await-in-loop -- one session after the other
    await calls.finish();
    expect(calls.written).toBe(1);
    // Many editors save a file without its last newline.
    writeFileSync(file, readFileSync(file, "utf8").trimEnd());
  }
  const args = { text: "two\nlines", "<<": [1] };
  expect(readCallsFile(file).value).toEqual([
    { tool: "a", arguments: args },
    { tool: "b", arguments: args },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toStartWith("# Calls recorded by mcp-meter");
});

test("RecordedCalls does not touch any other file, nor follow a link", () => {
  const foreign = folder.write("own.yaml", "- tool: mine\n");
  expect(() => RecordedCalls.open(foreign, quiet)).toThrow(
    "it holds something other than recorded calls",
  );
  expect(readFileSync(foreign, "utf8")).toBe("- tool: mine\n");
  const link = join(folder.path, "link.yaml");
  symlinkSync(folder.write("empty.yaml", ""), link);
  expect(() => RecordedCalls.open(link, quiet)).toThrow("it is a symbolic link");
  expect(() => RecordedCalls.open(folder.path, quiet)).toThrow("it is a directory");
});

test("RecordedCalls takes an earlier recording from other users, and says so", () => {
  const file = folder.write("open.yaml", "# Calls recorded by mcp-meter\n- tool: a\n");
  chmodSync(file, 0o644);
  const notes: string[] = [];
  RecordedCalls.open(file, (sentence) => notes.push(sentence));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(notes).toEqual([`Changed the mode of "${file}" to 0600: recorded calls may hold secrets`]);
  RecordedCalls.open(file, quiet);
  const foreign = folder.write("other.yaml", "- tool: mine\n");
  chmodSync(foreign, 0o644);
  expect(() => RecordedCalls.open(foreign, quiet)).toThrow(
    "it holds something other than recorded calls",
  );
  expect(statSync(foreign).mode & 0o777).toBe(0o644);
});

test("RecordedCalls ends at the size that check reads", async () => {
  const file = join(folder.path, "long.yaml");
  const calls = RecordedCalls.open(file, quiet);
  const call = { tool: "a", arguments: { q: "x".repeat(1024 * 1024) } };
  for (let at = 0; at < 5; at += 1) calls.add(call);
  await calls.finish();
  expect([calls.written, calls.leftOut]).toEqual([3, 2]);
  expect(statSync(file).size).toBeLessThanOrEqual(callsBytesMax);
  expect(readCallsFile(file).value).toHaveLength(3);
});

test.each([
  ["an error", () => Promise.reject(Object.assign(new Error("no"), { code: "ENOSPC" }))],
  ["a part that was written", () => Promise.resolve({ bytesWritten: 1 })],
] as const)("RecordedCalls reports a failure once: %s", async (_, append) => {
  const notes: string[] = [];
  const file = join(folder.path, `full-${notes.length}.yaml`);
  const calls = RecordedCalls.open(file, (sentence) => notes.push(sentence), append);
  calls.add({ tool: "a" });
  await calls.finish();
  calls.add({ tool: "b" });
  expect([calls.written, calls.leftOut]).toEqual([0, 2]);
  expect(notes).toEqual([
    `Cannot record further calls in "${file}": no space left on the disk; traffic continues`,
  ]);
});
