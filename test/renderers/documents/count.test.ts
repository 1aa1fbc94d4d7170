import { expect, test } from "bun:test";
import { countDocument, type Counted } from "#renderers/documents/count.ts";
import { renderTerminal } from "#renderers/terminal.ts";

const input = { file: "a.txt", tokens: 1234, bytes: 5000, is_utf8: true, is_definitions: false };
const counted: Counted = {
  inputs: [input, { ...input, file: "\u001b[31mred" }],
  total: 2468,
  estimation: {
    id: "words",
    method: "words",
    encoding: "words",
    confidence: "low",
    error: "a rule of thumb",
  },
};

test("countDocument has a row per file and a total; estimates are marked", () => {
  expect(renderTerminal(countDocument(counted), { color: false })).toBe(
    [
      "2 files",
      "",
      "file           tokens   bytes",
      "a.txt          ~1,234   5,000",
      "\\u001b[31mred  ~1,234   5,000",
      "total          ~2,468  10,000",
      "",
      "counted by  words ●○○ a rule of thumb; ~ marks estimates",
      "",
    ].join("\n"),
  );
});

test("countDocument does not mark exact numbers", () => {
  const estimation = { ...counted.estimation, confidence: "high" } as const;
  const text = renderTerminal(countDocument({ ...counted, estimation }), { color: false });
  expect(text).not.toContain("~");
});

test("countDocument shows the whole name of a file", () => {
  const file = "folder/".repeat(20);
  const text = renderTerminal(countDocument({ ...counted, inputs: [{ ...input, file }] }), {
    color: false,
  });
  expect(text).toContain(file);
});
