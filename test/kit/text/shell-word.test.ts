import { expect, test } from "bun:test";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";

test("quoteShellWord gives a word that a shell reads as the text", () => {
  for (const text of ["/a/b-c_d.e", "two words", "it's", '$HOME `x` "y"', "", "~/x", "a;b", "é"]) {
    const { stdout } = Bun.spawnSync(["sh", "-c", `printf %s ${quoteShellWord(text)}`]);
    expect(stdout.toString()).toBe(text);
  }
});

test("quoteShellWord shows unsafe characters", () => {
  expect(quoteShellWord("a\u001b\nb")).toBe("'a\\u001b\\u000ab'");
});
