import { expect, test } from "bun:test";
import { documentFormats } from "#renderers/formats.ts";
import { render } from "#renderers/index.ts";

const rows = [[{ name: "search" }, "12"]];
const columns = [{ head: "tool" }, { head: "tokens", isNumber: true }];
const document = { title: "1 tool", sections: [{ kind: "grid", columns, rows } as const] };
const printout = { document, data: { tool: "search", tokens: 12 } };

test.each(documentFormats)(
  "render as %s shows the names and numbers, and ends its last line",
  (format) => {
    const text = render(format, printout, { color: false });
    for (const shown of ["tool", "search", "tokens", "12"]) expect(text).toContain(shown);
    expect(text).toEndWith("\n");
  },
);

test("render as JSON is the data and nothing of the document", () => {
  expect(JSON.parse(render("json", printout, { color: false }))).toEqual(printout.data);
});
