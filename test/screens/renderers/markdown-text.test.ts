import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { escapeText } from "#screens/renderers/markdown.ts";
import { hostileText, unsafeIn } from "../../support/hostile.ts";

test.each([
  ["a_b*c", "a\\_b\\*c"],
  ["a|b`c\\", "a\\|b\\`c\\\\"],
  ["<b>&amp;", "&lt;b>&amp;amp;"],
  ["![x](y)", "!\\[x\\](y)"],
  ["\u200b", "\\\\u200b"],
  ["@everyone", "@&#8203;everyone"],
  ["fixes #12", "fixes #&#8203;12"],
  ["see https://x.org", "see https:&#8203;//x.org"],
  ["see www.x.org", "see www&#8203;.x.org"],
  ["~1,200 of (~5)", "~1,200 of (~5)"],
  ["~ marks estimates", "~ marks estimates"],
  ["~a~ 1~2 ~~3~~", "\\~a\\~ 1\\~2 \\~\\~3\\~\\~"],
])("markdownText escapes the prose %j", (prose, escaped) => {
  expect(escapeText(prose)).toBe(escaped);
});

test.each([
  ["search_files", "`search_files`"],
  ["a`b", "`a\\u0060b`"],
  ["``", "`\\u0060\\u0060`"],
  ["a|b", "`a\\u007cb`"],
  ["<img src=x onerror=alert(1)>", "`<img src=x onerror=alert(1)>`"],
  ["[x](javascript:y)", "`[x](javascript:y)`"],
  ["x".repeat(41), `\`${"x".repeat(39)}…\``],
  ["", "(no name)"],
])("markdownText makes code of the name %j", (name, code) => {
  expect(escapeText({ name })).toBe(code);
});

test("markdownText joins spans", () => {
  expect(escapeText(["*1* of ", { name: "*" }])).toBe("\\*1\\* of `*`");
});

test("markdownText holds nothing unsafe, no open code, no HTML, whatever the text", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const escaped = escapeText([text, " ", { name: text }]);
      expect(unsafeIn(escaped)).toEqual([]);
      // What is left without escapes and code is plain text.
      const plain = escaped.replaceAll(/\\.|`[^`|]*`/g, "");
      expect(plain).not.toMatch(/[`|<*[\]]/);
    }),
  );
});
