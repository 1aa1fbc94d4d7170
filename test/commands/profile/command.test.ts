import { afterAll, expect, test } from "bun:test";
import { profile } from "#commands/profile/command.ts";
import { parseProfileOptions } from "#commands/profile/options.ts";
import { capturedIo } from "../../support/io.ts";
import { replay, scratch } from "../../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());
const file = folder.write("profiled.json", {
  server: "one",
  tools: [{ name: "t", inputSchema: {} }],
});

test("profile prints to stdout and ends with 0", async () => {
  const io = capturedIo();
  const args = { options: { format: "markdown" }, operands: [], child: replay(file) };
  expect(await profile(parseProfileOptions(args), io)).toEqual({ code: 0 });
  expect(io.written.stdout).toContain("| `t` |");
  expect(io.written.stderr).toBe("");
});
