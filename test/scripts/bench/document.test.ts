import { expect, test } from "bun:test";
import { replaceFigures, writeOut } from "../../../scripts/bench/document.ts";
import { renderMeasurement } from "../../../scripts/bench/table.ts";

const document = `# Benchmarks

<!-- figures: start -->

old

<!-- end: start -->

## line

<!-- figures: line -->
<!-- end: line -->
`;

test("only the named load's figures are replaced", () => {
  const written = replaceFigures(document, "start", "new");
  expect(written).toBe(document.replace("old", "new"));
});

test("writing twice is writing once", () => {
  const once = replaceFigures(document, "line", "new");
  expect(replaceFigures(once, "line", "new")).toBe(once);
  expect(once).toContain("<!-- figures: line -->\n\nnew\n\n<!-- end: line -->");
});

test("a document without the section is refused", () => {
  expect(() => replaceFigures(document, "soak", "new")).toThrow(
    'Cannot write the figures of "soak"',
  );
});

test("every load has its section in docs/benchmarks.md", async () => {
  const { loads } = await import("../../../scripts/bench/suite.ts");
  const benchmarks = await Bun.file("docs/benchmarks.md").text();
  // `soak --bulk` has one of its own.
  const names = [...loads.keys(), "bulk-soak"];
  expect(names.map((name) => replaceFigures(benchmarks, name, "new").includes("new"))).toEqual(
    names.map(() => true),
  );
});

test("what is written has its provenance, and a drawing next to the document", () => {
  const measurement = {
    load: "line",
    caption: "One answer.",
    columns: ["time"],
    rows: [{ contestant: "bare server", figures: [{ value: 2, unit: "s" as const }] }],
    verdicts: [],
  };
  const { markdown, drawing } = writeOut(measurement, "2026-11-22, a machine");
  expect(markdown).toBe(
    [
      "_2026-11-22, a machine_",
      "![line: time](benchmarks/line.svg)",
      renderMeasurement(measurement),
    ].join("\n\n"),
  );
  expect(drawing.path).toBe("benchmarks/line.svg");
  expect(drawing.svg).toContain("<svg");
});
