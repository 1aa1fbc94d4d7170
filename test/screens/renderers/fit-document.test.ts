import { describe, expect, test } from "bun:test";
import type { Document } from "#screens/renderers/document.ts";
import { fitDocument, renderTerminal } from "#screens/renderers/terminal.ts";

const document: Document = {
  title: "a title that is longer than the terminal is wide",
  sections: [
    {
      kind: "grid",
      columns: [
        { head: "server" },
        { head: "tool" },
        { head: "calls", isNumber: true, dropRank: 2 },
        { head: "errors", isNumber: true, dropRank: 1 },
        { head: "tokens", isNumber: true },
      ],
      rows: [
        [
          { name: "documentation-search-production", columnsMax: 256 },
          { name: "search", columnsMax: 256 },
          "1",
          "2",
          "~3,000",
        ],
        ["total", "", "1", "2", { text: "~3,000", tone: "strong" }],
      ],
    },
    { kind: "line", text: "a line" },
  ],
};

function table(columns: number | undefined): string[] {
  const text = renderTerminal(fitDocument(document, columns), { color: false });
  return text.split("\n").slice(2, 5);
}

test("a column that is whole is not shortened, others are", () => {
  const name = "a sentence about something that is broken";
  const grid: Document["sections"][number] = {
    kind: "grid",
    columns: [{ head: "path" }, { head: "finding", isFixedWidth: true }],
    rows: [[{ name: "/a/rather/long/path/to/a/file" }, { name, columnsMax: 256 }]],
  };
  const text = renderTerminal({ title: "t", sections: [grid] }, { color: false, columns: 60 });
  expect(text).toContain(`…`);
  expect(text).toContain(name);
});

describe("fitDocument", () => {
  test("without a terminal, and where all fits, nothing changes", () => {
    expect(fitDocument(document, undefined)).toBe(document);
    expect(table(64)).toEqual([
      "server                           tool    calls  errors  tokens",
      "documentation-search-production  search      1       2  ~3,000",
      "total                                        1       2  ~3,000",
    ]);
    expect(table(62)).toEqual(table(64));
  });

  test("long names are shortened in the middle, only as far as needed", () => {
    expect(table(61)[1]).toBe("documentation-s…rch-production  search      1       2  ~3,000");
    expect(table(47)[1]).toBe("document…duction  search      1       2  ~3,000");
  });

  test("then columns are left out by their rank, and names become as short as they must", () => {
    expect(table(46)[0]).toBe("server                   tool    calls  tokens");
    expect(table(37)[0]).not.toContain("errors");
    expect(table(30)[0]).not.toContain("calls");
    expect(table(22)).toEqual([
      "server  tool    tokens",
      "doc…on  search  ~3,000",
      "total           ~3,000",
    ]);
    expect(table(5)).toEqual(table(22));
  });

  test("of two columns of names the wider one is shortened first", () => {
    const names = ["documentation-search", "handbook-of-the-company"].map((name) => ({ name }));
    const grid = { kind: "grid", columns: [{ head: "a" }, { head: "b" }], rows: [names] } as const;
    const fitted = fitDocument({ title: "t", sections: [grid] }, 43);
    const [, , , line] = renderTerminal(fitted, { color: false }).split("\n");
    expect(line).toBe("documentation-search  handbook-o…he-company");
  });
});
