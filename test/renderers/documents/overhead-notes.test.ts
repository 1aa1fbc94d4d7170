import { expect, test } from "bun:test";
import { overheadNotes } from "#renderers/documents/overhead-notes.ts";
import { summaryDocument } from "#renderers/documents/summary.ts";
import { renderMarkdown } from "#renderers/markdown.ts";
import { renderTerminal } from "#renderers/terminal.ts";
import { callRecord, endRecord, sessionRecord } from "../../support/made-records.ts";
import { summaryOf } from "../../support/play.ts";

const none = {
  user_only_tokens: 0,
  preamble_tokens: 0,
  json_tokens: 0,
  minified_tokens: 0,
  structure_ratio: 0,
};

function summaryWith(overhead: Partial<typeof none>) {
  const call = callRecord({ output_tokens: 1_000, overhead: { ...none, ...overhead } });
  return summaryOf([sessionRecord(), call, endRecord()]);
}

test.each([
  [
    { preamble_tokens: 300, json_tokens: 240, structure_ratio: 0.5 },
    "42% of the tokens in its answers are not data: instructions to the model 30%, JSON keys and punctuation 12%; move them to the tool's description or the server's instructions, which are read once",
  ],
  [
    { json_tokens: 900, minified_tokens: 900, structure_ratio: 0.5 },
    "45% of the tokens in its answers are not data: JSON keys and punctuation 45%; return fewer fields, or rows under one header row",
  ],
  [
    { user_only_tokens: 500 },
    "50% of the tokens in its answers are not data: blocks for the user alone 50%; leave them out: this client shows them to the model",
  ],
])("overheadNotes of %j", (overhead, text) => {
  const summary = summaryWith(overhead);
  const [note] = overheadNotes(summary.tools);
  expect(note).toMatchObject({ label: "not data", text: [{}, `: ${text}`] });
  const document = summaryDocument(summary);
  expect(renderTerminal(document, { color: false })).toContain(text);
  expect(renderMarkdown(document)).toContain("are not data");
});

test("overheadNotes says how many tools it leaves out", () => {
  const overhead = { ...none, preamble_tokens: 900 };
  const calls = Array.from({ length: 5 }, (_, at) =>
    callRecord({ tool: `t${at}`, output_tokens: 1_000, overhead }),
  );
  const notes = overheadNotes(summaryOf([sessionRecord(), ...calls, endRecord()]).tools);
  expect(notes).toHaveLength(4);
  expect(notes.at(-1)?.text).toBe("and 2 more tools; use --summary json to list all");
});

test("overheadNotes of answers that are data is empty", () => {
  expect(overheadNotes(summaryWith({ preamble_tokens: 300 }).tools)).toEqual([]);
});
