import { expect, test } from "bun:test";
import {
  buildDiffSections,
  buildDriftSections,
} from "#screens/renderers/documents/drift-sections.ts";

const drift = {
  severity: "BREAKING",
  kind: "tool_removed",
  tool: "t",
  what: "tool removed",
  before: null,
  after: null,
} as const;
const drifts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...drift, what: `change ${at}` }));

test("driftSections show a hundred drifts and count the others", () => {
  expect(buildDriftSections(drifts(100))).toHaveLength(1);
  expect(buildDriftSections(drifts(102))[1]).toEqual({
    kind: "line",
    text: "2 more drifts; use --format json to list all",
  });
});

test("diffSections name the tool or the instructions, and count the lines that were left out", () => {
  const lines = [{ sign: "+", parts: [{ text: "x", is_changed: false }] }] as const;
  const sections = buildDiffSections([
    { tool: "t", lines, omitted_lines: 0 },
    { tool: null, lines, omitted_lines: 3 },
  ]);
  expect(sections.map((section) => ("title" in section ? section.title : section))).toEqual([
    [{ name: "t", columnsMax: 60 }],
    "instructions",
    { kind: "line", text: "3 more lines" },
  ]);
});

test("driftSections and diffSections show once what several tools share, but not what the server has", () => {
  const [grid] = buildDriftSections([
    drift,
    { ...drift, tool: null },
    { ...drift, tool: "u" },
    { ...drift, tool: "v", after: "x" },
    { ...drift, tool: "w" },
  ]);
  const cells = grid?.kind === "grid" ? grid.rows.map((row) => row[1]) : [];
  expect(cells).toEqual([
    [{ name: "t" }, ", ", { name: "u" }, ", ", { name: "w" }],
    "(server)",
    [{ name: "v" }],
  ]);
  const lines = [{ sign: "+", parts: [{ text: "x", is_changed: false }] }] as const;
  const titles = buildDiffSections([
    { tool: "t", lines, omitted_lines: 0 },
    { tool: "u", lines, omitted_lines: 0 },
    { tool: "v", lines: [], omitted_lines: 0 },
  ]).map((section) => ("title" in section ? section.title : undefined));
  expect(titles).toEqual([
    [{ name: "t", columnsMax: 60 }, ", ", { name: "u", columnsMax: 60 }],
    [{ name: "v", columnsMax: 60 }],
  ]);
});

test("driftSections name eight of the tools that share a drift, and count the others", () => {
  const [grid] = buildDriftSections([..."abcdefghijk"].map((tool) => ({ ...drift, tool })));
  const cell = grid?.kind === "grid" ? grid.rows[0]?.[1] : undefined;
  expect(cell).toEqual(expect.arrayContaining([{ name: "h" }, " and 3 more"]));
});

test("driftSections show where two long values begin to differ, and white space alone", () => {
  const start = "x".repeat(100);
  const [grid] = buildDriftSections([
    { ...drift, before: `${start} old`, after: `${start} new` },
    { ...drift, before: "Reads", after: "Reads " },
  ]);
  expect(grid).toMatchObject({
    rows: [
      [{}, [{ name: "t" }], "tool removed", /^…x{15} old$/, /^…x{15} new$/],
      [{}, [{ name: "t" }], "tool removed", "Reads", "Reads␠"],
    ].map((row) =>
      row.map((cell) => (cell instanceof RegExp ? expect.stringMatching(cell) : cell)),
    ),
  });
});
