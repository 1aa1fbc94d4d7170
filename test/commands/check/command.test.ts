import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { check } from "#commands/check/command.ts";
import { capturedIo } from "../../support/io.ts";
import { replay, scratch } from "../../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());
const file = folder.write("checked.json", {
  server: "one",
  tools: [{ name: "t", inputSchema: {} }],
});
const absent = join(folder.path, "absent.lock");

test("check on GitHub Actions prints for it by default", async () => {
  const io = capturedIo({ GITHUB_ACTIONS: "true" });
  const args = { options: {}, operands: [], child: replay(file) };
  expect(await check(args, io)).toEqual({ code: 0 });
  expect(io.written.stdout).toStartWith("::stop-commands::");
});

test("check of a lock that was named and is not there is a mistake of usage", async () => {
  const args = { options: { file: absent }, operands: [], child: replay(file) };
  expect(await check(args, capturedIo()).catch(String)).toContain(
    'write it with "mcp-meter lock -- <command>"',
  );
});
