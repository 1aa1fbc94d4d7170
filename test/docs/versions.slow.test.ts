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

async function checkRelease(name: string, old: string, now: string) {
  expect(await runMeter(home, ["lock", "--force", "--", ...serverOf(name, old)])).toMatchObject({
    status: 0,
  });
  return await runMeter(home, ["check", "--", ...serverOf(name, now)]);
}

test("@playwright/mcp 0.0.70 and 0.0.83 differ as docs/ci.md shows it", async () => {
  const block = blockOf("@playwright/mcp");
  const { status, stdout } = await checkRelease("@playwright/mcp", "0.0.70", "0.0.83");
  expect(status).toBe(1);
  expect(block.length).toBeGreaterThan(12);
  expect(cutLike(block, stdout.trimEnd().split("\n"))).toEqual(block);
});

test("server-sequential-thinking 2026.8.31 takes everything that 2025.7.1 took", async () => {
  const name = "@modelcontextprotocol/server-sequential-thinking";
  const { status, stdout } = await checkRelease(name, "2025.7.1", "2026.8.31");
  expect(status).toBe(1);
  expect(stdout).toContain("worst drift is RISKY");
  expect(stdout).not.toContain("BREAKING ");
});
