import { expect, test } from "bun:test";
import { join } from "node:path";
import { optionSets } from "../../scripts/fuzz/option-sets.ts";

const root = join(import.meta.dir, "../..");

function run(...words: readonly string[]) {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, ...words], {
    cwd: root,
    stderr: "inherit",
  });
  return { exitCode, text: stdout.toString() };
}

test("the benchmarks start, and each has its figures in docs/benchmarks.md", async () => {
  const { exitCode, text } = run("scripts/bench/main.ts", "--help");
  expect(exitCode).toBe(0);
  const names = /names +(.+);/.exec(text)?.[1]?.split(", ") ?? [];
  expect(names).toContain("start");
  const document = await Bun.file(join(root, "docs/benchmarks.md")).text();
  const marked = [...document.matchAll(/<!-- figures: (\S+) -->/g)].map(([, name = ""]) => name);
  expect(marked.toSorted()).toEqual(names.toSorted());
});

test("the fuzzer plays each option set once, and finds nothing", () => {
  const { exitCode, text } = run(
    "scripts/fuzz.ts",
    "--seed",
    "11",
    "--plays",
    `${optionSets.length}`,
  );
  expect(text).toContain("violations: 0");
  expect(exitCode).toBe(0);
}, 300_000);
