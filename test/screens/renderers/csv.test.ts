import { expect, test } from "bun:test";
import { renderCsv } from "#screens/renderers/usage.ts";

test("rows as CSV: empty cells, quotes, and nothing that a spreadsheet would run", () => {
  const rows = [
    { name: 'a,"b"', tokens: 1.5, note: null },
    { name: "=1+1", tokens: -2 },
    { name: "@x\u001b[2J\u202e", tokens: 0, note: "-3" },
    { name: "line\nbreak", tokens: 1 },
  ];
  expect(renderCsv(["name", "tokens", "note"], rows)).toBe(
    [
      "name,tokens,note",
      '"a,""b""",1.5,',
      "'=1+1,-2,",
      "'@x\\u001b[2J\\u202e,0,'-3",
      "line\\u000abreak,1,",
      "",
    ].join("\n"),
  );
});
