import { expect, test } from "bun:test";
import { renderMarkdown } from "#renderers/markdown.ts";

test("renderMarkdown is a heading, tables with their rule, lists and paragraphs, without what is empty", () => {
  const text = renderMarkdown({
    title: ["mcp-meter: ", { name: "memory" }],
    sections: [
      {
        kind: "grid",
        columns: [{ head: "tool" }, { head: "tokens", isNumber: true }, { head: "risk" }],
        rows: [[{ name: "日本" }, "~5", { text: "high", tone: "bad" }]],
      },
      { kind: "grid", columns: [{ head: "empty" }], rows: [] },
      { kind: "notes", notes: [] },
      { kind: "notes", notes: [{ label: "verdict", text: ["worst is ", { name: "a|b" }] }] },
      { kind: "line", text: "1 more" },
    ],
  });
  expect(text).toBe(
    [
      "### mcp-meter: `memory`",
      "",
      "| tool | tokens | risk |",
      "| --- | ---: | --- |",
      "| `日本` | ~5 | high |",
      "",
      "- **verdict**: worst is `a\\u007cb`",
      "",
      "1 more",
      "",
    ].join("\n"),
  );
});
