import { expect, test } from "bun:test";
import { replaceFigures } from "../../../scripts/bench/document.ts";

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
  const names = [...loads.keys()];
  expect(names.map((name) => replaceFigures(benchmarks, name, "new").includes("new"))).toEqual(
    names.map(() => true),
  );
});
