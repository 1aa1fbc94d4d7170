import { describe, expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import type { Document, Section, Span } from "#screens/renderers/document.ts";
import { buildBudgetsDocument } from "#screens/renderers/documents/budgets.ts";
import { buildCheckDocument } from "#screens/renderers/documents/check.ts";
import { buildCommentDocument, buildFailureDocument } from "#screens/renderers/check-comment.ts";
import { buildCountDocument } from "#screens/renderers/documents/count.ts";
import { buildLockDocument } from "#screens/renderers/documents/lock.ts";
import { buildProfileDocument } from "#screens/renderers/documents/profile.ts";
import { buildSummaryDocument } from "#screens/renderers/documents/summary-table.ts";
import { renderMarkdown } from "#screens/renderers/markdown.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import { failureOf, fullReport } from "../../support/checks.ts";
import { hostileText, findUnsafeText, withTexts } from "../../support/hostile.ts";
import { madeProfile } from "../../support/made-profile.ts";
import { hostileSummary } from "../../support/made-summary.ts";
import { terminalFromMarkdown } from "../../support/rendered.ts";

setDefaultTimeout(60_000);

function expectSafe(document: Document): void {
  const [terminal, markdown] = [
    renderTerminal(document, { color: false }),
    renderMarkdown(document),
  ];
  // Diffs of settings have tabs.
  const shown = `${terminal}${markdown}`.replaceAll(/^(?:[-+…] | {2}).*$/gm, (row) =>
    row.replaceAll("\t", ""),
  );
  expect(findUnsafeText(shown.replaceAll("\n", ""))).toEqual([]);
  expect(terminal).not.toMatch(/^\s*::|##\[/m);
  expect(terminalFromMarkdown(markdown, document)).toBe(terminal);
}

const text = fc.oneof(
  hostileText,
  fc.string(),
  fc.constantFrom("::error::x", "##[group]", "**: ", "`", "|", "\\"),
);
const span: fc.Arbitrary<Span> = fc.oneof(
  text,
  text.map((name) => ({ name })),
);
const spans = fc.oneof(span, fc.array(span, { maxLength: 4 }));
const cell = fc.oneof(spans, fc.record({ text: spans, tone: fc.constantFrom("bad", "strong") }));
const grid = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }).chain((alignments) =>
  fc
    .array(fc.array(cell, { minLength: alignments.length, maxLength: alignments.length }), {
      maxLength: 4,
    })
    .map((rows): Section => ({
      kind: "grid",
      columns: alignments.map((isNumber, at) => ({ head: `head ${at}`, isNumber })),
      rows,
    })),
);
const notes = fc
  .array(fc.record({ label: spans, text: spans }), { maxLength: 4 })
  .map((list): Section => ({ kind: "notes", notes: list }));
const line = spans.map((content): Section => ({ kind: "line", text: content }));
const diff = fc.record({
  kind: fc.constant("diff" as const),
  title: spans,
  lines: fc.array(
    fc.record({
      sign: fc.constantFrom(" " as const, "-" as const, "+" as const, "…" as const),
      parts: fc.array(fc.record({ text, is_changed: fc.boolean() }), { maxLength: 3 }),
    }),
    { maxLength: 4 },
  ),
});
const anyDocument = fc.record({
  title: spans,
  sections: fc.array(fc.oneof(grid, notes, line, diff), { maxLength: 4 }),
});

test("no text breaks a line, a cell or a screen, and both renderers show the same cells", () => {
  fc.assert(fc.property(anyDocument, expectSafe), { numRuns: 150 });
});

test("the reader of the Markdown notices a cell too many and a line too many", () => {
  const columns = [{ head: "tool" }];
  const document = { title: "t", sections: [{ kind: "grid", columns, rows: [["x"]] } as const] };
  const markdown = renderMarkdown(document);
  expect(() => terminalFromMarkdown(markdown.replace("| x", "| x | y"), document)).toThrow(
    "2 cells",
  );
  expect(() => terminalFromMarkdown(`${markdown}more\n`, document)).toThrow("is not");
  expect(() => terminalFromMarkdown(markdown.replace("x", "x |\n| y"), document)).toThrow();
});

describe("whatever its texts are,", () => {
  const keptKeys = new Set([
    "severity",
    "level",
    "risk",
    "confidence",
    "basis",
    "kind",
    "unit",
    "place",
    "sign",
  ]);
  const hostile = <T>(value: T, by: string): T => withTexts(value, by, keptKeys);
  const estimation = {
    id: "words",
    method: "words",
    encoding: "words",
    confidence: "low",
    error: "none",
  } as const;
  const counter = {
    server: "s",
    tool: "t",
    pattern: null,
    limit: 1,
    unit: "tokens",
    per: "day",
    owner: "fleet",
    user: null,
    action: "error",
    spent: 0,
    held: 0,
    left: 1,
    refills_at: "2026-11-22T00:00:00.000Z",
  } as const;
  const failure = failureOf("e");
  const input = { file: "f", tokens: 1, bytes: 2, is_utf8: true, is_definitions: false };
  const documents: readonly (readonly [what: string, make: (by: string) => Document])[] = [
    ["a summary", (by) => buildSummaryDocument(hostileSummary(by))],
    ["a lock's report", (by) => buildLockDocument(hostile(fullReport().definitions, by))],
    ["a check", (by) => buildCheckDocument(hostile(fullReport(), by))],
    ["the comment of a check", (by) => buildCommentDocument(hostile(fullReport(), by))],
    ["a check that could not be made", (by) => buildFailureDocument(hostile(failure, by))],
    ["a count", (by) => buildCountDocument(hostile({ inputs: [input], total: 1, estimation }, by))],
    ["a list of counters", (by) => buildBudgetsDocument([hostile(counter, by)], 0)],
    ["a profile", (by) => buildProfileDocument(hostile(madeProfile, by))],
  ];
  for (const [what, make] of documents) {
    test(`${what} is safe and the same in both`, () => {
      fc.assert(
        fc.property(text, (by) => expectSafe(make(by))),
        { numRuns: 30 },
      );
    });
  }
});
