import { expect, test } from "bun:test";
import { diffTexts } from "#lock/drift/text-diff.ts";
import { renderMarkdown } from "#renderers/markdown.ts";
import { partText } from "#renderers/part-text.ts";
import { renderTerminal } from "#renderers/terminal.ts";

test("partText marks white space that differs, and leaves everything else", () => {
  expect(partText({ text: "  ", is_changed: true })).toBe("␠␠");
  expect(partText({ text: "  ", is_changed: false })).toBe("  ");
  expect(partText({ text: " a ", is_changed: true })).toBe(" a ");
});

test.each([
  ["a space at the end", "Search first.", "Search first. ", "+ Search first.␠"],
  ["a line break at the end", "Search first.", "Search first.\n", "+ Search first.␤"],
  ["a space more", "Search first.", "Search  first.", "+ Search␠␠first."],
])("diffs show %s", (_, before, after, line) => {
  const { lines } = diffTexts(before, after);
  const document = { title: "t", sections: [{ kind: "diff", title: "d", lines } as const] };
  expect(renderTerminal(document, { color: false }).split("\n")).toContain(line);
  expect(renderMarkdown(document).split("\n")).toContain(line);
});
