import { describe, expect, test } from "bun:test";
import type { Document } from "#renderers/document.ts";
import { renderTerminal } from "#renderers/terminal.ts";

const document: Document = {
  title: "2 tools",
  sections: [
    {
      kind: "grid",
      columns: [{ head: "tool" }, { head: "tokens", isNumber: true }, { head: "risk" }],
      rows: [
        [{ name: "日本" }, "5", "low"],
        [{ name: "search" }, "1,000", { text: "high", tone: "bad" }],
        ["total", "1,005", ""],
      ],
    },
    { kind: "grid", columns: [{ head: "empty" }], rows: [] },
    { kind: "notes", notes: [] },
    {
      kind: "notes",
      notes: [
        { label: "verdict", text: ["worst is ", { name: "search" }] },
        { label: "日本", text: "wide" },
      ],
    },
    { kind: "line", text: "1 more" },
  ],
};

describe("renderTerminal", () => {
  test("aligns columns and labels by their width on a screen, and leaves out what is empty", () => {
    expect(renderTerminal(document, { color: false })).toBe(
      [
        "2 tools",
        "",
        "tool    tokens  risk",
        "日本         5  low",
        "search   1,000  high",
        "total    1,005",
        "",
        "verdict  worst is search",
        "日本     wide",
        "",
        "1 more",
        "",
      ].join("\n"),
    );
  });

  test("colors tones when it may, and changes nothing else", () => {
    const painted = renderTerminal(document, { color: true });
    expect(painted).toContain("\u001b[31mhigh\u001b[0m");
    expect(Bun.stripANSI(painted)).toBe(renderTerminal(document, { color: false }));
  });

  test("colors no empty cell and nothing without a tone", () => {
    const rows = [["FAIL", "critical", { text: "", tone: "worst" } as const]];
    const columns = ["a", "b", "c"].map((head) => ({ head }));
    const text = renderTerminal(
      { title: "", sections: [{ kind: "grid", columns, rows }] },
      { color: true },
    );
    expect(text).not.toContain("\u001b");
  });
});
