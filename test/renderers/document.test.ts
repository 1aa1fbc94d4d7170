import { describe, expect, test } from "bun:test";
import { documentAsMarkdown, documentAsTable, escapeMarkdown } from "#renderers/document.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import type { Document } from "#renderers/document.ts";

const hostile = "a|b`c\u001b[31m\u202e\n<img>";
const document: Document = {
  title: { name: hostile },
  sections: [
    {
      kind: "grid",
      columns: [{ head: "tool" }, { head: "tokens", isNumber: true }, { head: "risk" }],
      rows: [
        [{ name: "日本" }, "5", "low"],
        [{ name: hostile }, "1,000", "high"],
      ],
    },
    { kind: "grid", columns: [{ head: "empty" }], rows: [] },
    { kind: "notes", notes: [] },
    { kind: "notes", notes: [["verdict", `worst of ${hostile}`]] },
    { kind: "line", text: "@everyone done" },
  ],
};

describe("documentAsTable", () => {
  test("aligns by columns on screen, leaves out what is empty, escapes what is unsafe", () => {
    const text = documentAsTable(document, { color: false });
    const [, , head, first, second] = text.split("\n");
    expect(head?.indexOf("risk")).toBe(second?.indexOf("high"));
    // Two wide characters take four columns.
    expect(first?.indexOf("low")).toBe((head?.indexOf("risk") ?? 0) - 2);
    expect(text).not.toContain("empty");
    expect(text).toEndWith("@everyone done\n");
    expect(escapeUnsafe(text.replaceAll("\n", " "))).toBe(text.replaceAll("\n", " "));
  });

  test("paints risks when colour is wanted, and only then", () => {
    expect(documentAsTable(document, { color: true })).toContain("\u001b[31mhigh\u001b[0m");
  });
});

describe("documentAsMarkdown", () => {
  const text = documentAsMarkdown(document);

  test("has a title, a table with its rule, and notes", () => {
    expect(text).toStartWith("### `");
    expect(text).toContain("| tool | tokens | risk |\n| --- | ---: | --- |\n| `日本` | 5 | low |");
    expect(text).toContain("- **verdict**: worst of a\\|b");
  });

  test("no name ends its cell, opens HTML, mentions somebody or moves text", () => {
    const row = text.split("\n").find((line) => line.includes("1,000")) ?? "";
    expect(row.split(/(?<!\\)\|/)).toHaveLength(5);
    expect(escapeUnsafe(text.replaceAll("\n", " "))).toBe(text.replaceAll("\n", " "));
    expect(text).not.toContain("@everyone");
    expect(text.replaceAll(/`[^`]*`/g, "")).not.toContain("<img>");
  });
});

test.each([
  ["a_b*c", "a\\_b\\*c"],
  ["<b>&", "&lt;b>&amp;"],
  ["[x](y)", "\\[x\\](y)"],
  ["\u200b", "\\\\u200b"],
])("escapeMarkdown %j", (raw, escaped) => {
  expect(escapeMarkdown(raw)).toBe(escaped);
});

test("documentAsTable begins no line with a command to a CI runner", () => {
  const names = ["::error::x", "  ::set-output name=x::y", "a ##[error]x"];
  const rows = names.map((name) => [{ name }]);
  const grid = { kind: "grid", columns: [{ head: "tool" }], rows } as const;
  const text = documentAsTable({ title: "::stop", sections: [grid] }, { color: false });
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toContain("##[");
  expect(text).toContain("\\u003a:error::x");
});
