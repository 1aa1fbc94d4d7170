import { expect, test } from "bun:test";
import { check } from "#commands/check/command.ts";
import { parseCheckOptions } from "#commands/check/options.ts";
import { capturedIo } from "../../support/io.ts";
import { replay, scratch } from "../../support/replay.ts";

const folder = scratch();
const file = folder.write("checked.json", {
  server: "one",
  tools: [{ name: "t", inputSchema: { type: "object" } }],
});

test("check on GitHub Actions prints for it by default", async () => {
  const io = capturedIo({ GITHUB_ACTIONS: "true" });
  const options = { "no-lock": true, "max-total": "9k" };
  const args = { options, operands: [], child: replay(file) };
  expect(await check(parseCheckOptions(args), io)).toEqual({ code: 0 });
  expect(io.written.stdout).toStartWith("::stop-commands::");
});

test("check without the lock says that it was not compared", async () => {
  const io = capturedIo();
  const options = { "no-lock": true, "max-total": "9k" };
  expect(
    await check(parseCheckOptions({ options, operands: [], child: replay(file) }), io),
  ).toEqual({ code: 0 });
  expect(io.written.stdout).toContain("mcp-meter.lock was not compared, counted by o200k");
});
