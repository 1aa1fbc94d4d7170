import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { makeHome, runBare, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const home = makeHome();
afterAll(() => home.remove());

const root = join(import.meta.dir, "..", "..");

const tools = [
  "echo",
  "get-structured-content",
  "get-tiny-image",
  "get-sum",
  "trigger-long-running-operation",
];

test("the demo ends by itself with a summary of its tools and a file of valid records (slow)", async () => {
  const demo = [process.execPath, "scripts/demo.ts", join(home.path, "demo.ndjson")];
  const run = await runBare(demo, { cwd: root, env: home.env });
  expect(run.status).toBe(0);
  for (const tool of tools) expect(run.stderr).toContain(tool);
  expect(run.stdout).toMatch(/plugin_notes_notes +save_note/);
  const trimmed =
    /~(\d+) tokens of definitions become ~(\d+), for (\d+) tools/.exec(run.stdout) ?? [];
  expect(Number(trimmed[2])).toBeLessThan(Number(trimmed[1]));
  expect(Number(trimmed[3])).toBe(tools.length + 1);
  const [, valid, lines] = /(\d+) of (\d+) records in .+ are valid/u.exec(run.stdout) ?? [];
  expect(valid).toBe(lines);
  expect(Number(lines)).toBeGreaterThan(tools.length);
});
