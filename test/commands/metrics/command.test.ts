import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { metrics } from "#commands/metrics/command.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

const none = { since: undefined, timezone: "UTC", output: undefined };

function recorded(folder: Folder): string {
  const records = [sessionRecord(), callRecord({ seq: 1 })];
  return folder.file("a.ndjson", records.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

test("metrics prints the text, or replaces a file with it", async () => {
  using folder = new Folder();
  const files = [recorded(folder)];
  const { io, stdout, stderr } = fakeIo();
  expect(await metrics({ ...none, files }, io)).toEqual({ code: 0 });
  expect(stdout()).toContain("# TYPE mcp_meter_tokens_total counter\n");
  expect(stderr()).toBe("");
  const output = folder.file("a.prom", "old");
  const inode = statSync(output).ino;
  await metrics({ ...none, files, output }, io);
  expect(readFileSync(output, "utf8")).toBe(stdout());
  expect(statSync(output).ino).not.toBe(inode);
});

test("metrics of the last hours", async () => {
  using folder = new Folder();
  const { io, stdout } = fakeIo();
  const nowMs = Date.parse("2026-09-03T12:00:00Z");
  await metrics({ ...none, files: [recorded(folder)], since: "24h" }, io, nowMs);
  expect(stdout()).toBe("");
});

test("a folder that is missing is a mistake before anything is read", async () => {
  const options = { ...none, files: ["/nowhere"], output: "/nowhere/else/a.prom" };
  expect(metrics(options, fakeIo().io)).rejects.toThrow("/nowhere/else/a.prom");
});

test("a Redis that is away is one line, a mistake in its variable the end", async () => {
  using folder = new Folder();
  const io = (url: string) =>
    fakeIo({ env: { XDG_STATE_HOME: folder.path, MCP_METER_COUNTERS: url } });
  const away = io("redis://127.0.0.1:1");
  expect(await metrics({ ...none, files: [] }, away.io)).toEqual({ code: 0 });
  expect(away.stderr()).toBe(
    "mcp-meter: Leaving out the use of budgets: cannot read the budget counters in the Redis at 127.0.0.1:1: connection refused: is it running, and is the port right?\n",
  );
  expect(away.stdout()).toContain("\nmcp_meter_counters_up 0\n");
  const malformed = io("http://127.0.0.1:1");
  expect(metrics({ ...none, files: [] }, malformed.io)).rejects.toThrow("--counters");
  expect(malformed.stdout()).toBe("");
});
