import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeHome, runMeter } from "../e2e/run.ts";
import { replay, scratch } from "../support/replay.ts";

setDefaultTimeout(60_000);

const home = makeHome();
const folder = scratch();
afterAll(() => home.remove());

const root = join(import.meta.dir, "..", "..");
const document = readFileSync(join(root, "docs", "ci.md"), "utf8");

function blockOf(name: string): readonly string[] {
  const [, after] = document.split(`<!-- ${name} -->\n`);
  const [, block = ""] = /```text\n(.*?)```/s.exec(after ?? "") ?? [];
  return block.trimEnd().split("\n");
}

function cutLike(block: readonly string[], printed: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let at = 0;
  for (const [index, line] of block.entries()) {
    if (line === "…") {
      at = printed.indexOf(block[index + 1] ?? "", at);
      shown.push("…");
    } else {
      shown.push(printed[at] ?? "");
      at += 1;
    }
  }
  return [...shown, ...printed.slice(at)];
}

const releases = readFileSync(join(root, "test", "fixtures", "versions", "releases.ndjson"), "utf8")
  .trim()
  .split("\n");

function serverOf(name: string, release: string): string[] {
  const line = releases.find((one) =>
    one.startsWith(`{"package":"${name}","release":"${release}",`),
  );
  return replay(folder.write(`${release}.json`, line ?? ""));
}

test.each([
  ["@modelcontextprotocol/server-sequential-thinking", "2025.7.1", "2026.8.31"],
  ["@playwright/mcp", "0.0.70", "0.0.83"],
])("%s %s and %s differ as docs/ci.md shows it", async (name, old, now) => {
  const block = blockOf(name);
  expect(await runMeter(home, ["lock", "--force", "--", ...serverOf(name, old)])).toMatchObject({
    status: 0,
  });
  const { status, stdout } = await runMeter(home, ["check", "--", ...serverOf(name, now)]);
  expect(status).toBe(1);
  expect(block.length).toBeGreaterThan(12);
  expect(cutLike(block, stdout.trimEnd().split("\n"))).toEqual(block);
});
