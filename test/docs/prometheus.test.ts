// The rules of docs/prometheus, by promtool.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../support/folder.ts";
import { has } from "../support/needs.ts";

const hasPromtool = has("promtool", "the rules for Prometheus");
const rules = join(import.meta.dir, "..", "..", "docs", "prometheus");
const stories = join(import.meta.dir, "prometheus");

function promtool(...args: readonly string[]): { code: number; text: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...args]);
  return { code: exitCode, text: `${stdout.toString()}${stderr.toString()}` };
}

test.if(hasPromtool).each(readdirSync(rules))("%s is valid", (file) => {
  const { code, text } = promtool("check", "rules", "--lint-fatal", join(rules, file));
  const found = file.includes("alerts") ? 4 : 3;
  expect(text).toContain(`SUCCESS: ${found} rules found`);
  expect(code).toBe(0);
});

test.if(hasPromtool).each(readdirSync(stories))("%s passes", async (file) => {
  using folder = new Folder();
  const text = await Bun.file(join(stories, file)).text();
  const placed = folder.file(file, text.replaceAll("RULES", rules));
  const run = promtool("test", "rules", placed);
  expect(run.text).toContain("SUCCESS");
  expect(run.code).toBe(0);
});
