// docs/ci.md shows the difference between two versions of three public servers as `check` prints it.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeHome, runMeter } from "../e2e/run.ts";
import { replay, scratch } from "../support/replay.ts";
import { everything, filesystem, memory, type ServerCommand } from "../support/servers.ts";

// Real servers take their time on a machine that is busy.
setDefaultTimeout(60_000);

const home = makeHome();
const folder = scratch();
afterAll(() => home.remove());

const root = join(import.meta.dir, "..", "..");
const document = readFileSync(join(root, "docs", "ci.md"), "utf8");

/** The block below the marker of that name. */
function blockOf(name: string): readonly string[] {
  const [, after] = document.split(`<!-- ${name} -->\n`);
  const [, block = ""] = /```text\n(.*?)```/s.exec(after ?? "") ?? [];
  return block.trimEnd().split("\n");
}

/** The printed lines, with `…` in place of those that the block leaves out. */
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

const versions: readonly (readonly [name: string, server: ServerCommand])[] = [
  ["memory-2026.1.26", memory(join(folder.path, "memory.json"))],
  ["filesystem-2026.1.14", filesystem(folder.path)],
  ["everything-2026.1.26", everything()],
];

test.each(versions)(
  "%s against the version of today is as docs/ci.md shows it",
  async (name, { argv, env }) => {
    const old = join(root, "test", "fixtures", "versions", `${name}.json`);
    const lock = ["--file", `${name}.lock`];
    expect(await runMeter(home, ["lock", ...lock, "--", ...replay(old)])).toMatchObject({
      status: 0,
    });
    const { status, stdout } = await runMeter(home, ["check", ...lock, "--", ...argv], { env });
    expect(status).toBe(1);
    const printed = stdout.replace(`${name}.lock`, "mcp-meter.lock").trimEnd().split("\n");
    const block = blockOf(name);
    expect(block.length).toBeGreaterThan(20);
    expect(cutLike(block, printed)).toEqual(block);
  },
);
