import { expect, test } from "bun:test";
import { quoteForShell, quoteForFish } from "#commands/completion/shell-scripts.ts";

const tricky = [
  "plain",
  "two words",
  "it's",
  `"$HOME" \`id\``,
  "back\\slash\\",
  "",
  "*?[x]{a,b};&|",
];

test.each(tricky)("quoteForShell makes one word of %j", (text) => {
  const { stdout } = Bun.spawnSync(["sh", "-c", `printf %s ${quoteForShell(text)}`]);
  expect(stdout.toString()).toBe(text);
});

test("quoteForFish escapes only quotes and backslashes", () => {
  expect(quoteForFish(`it's a \\ and $HOME`)).toBe(String.raw`'it\'s a \\ and $HOME'`);
});
