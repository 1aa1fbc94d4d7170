import { expect, test } from "bun:test";
import { documentRows } from "../../../scripts/man/document-rows.ts";
import { thrownBy } from "../../support/folder.ts";

const markdown = `# A

| other | table |
| ----- | ----- |
| no    | no    |

## Here

Some text.

| variable   | meaning             |
| ---------- | ------------------- |
| \`A\`, \`B\`   | A [page](b.md#c), **bold** |
| \`C\`        | C                   |

| later | table |
| ----- | ----- |
| no    | no    |
`;

test("documentRows has the rows of the first table behind a line, as plain text", () => {
  expect(documentRows(markdown, "## Here")).toEqual([
    ["A, B", "A page, bold"],
    ["C", "C"],
  ]);
});

test("documentRows fails where there is no such line or table", () => {
  expect(thrownBy(() => documentRows(markdown, "## There"))).toBe(
    'There is no table behind "## There"',
  );
  expect(thrownBy(() => documentRows("## Here\n", "## Here"))).toContain("There is no table");
});
