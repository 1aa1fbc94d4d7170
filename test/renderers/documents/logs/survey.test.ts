import { expect, test } from "bun:test";
import { surveyDocument } from "#renderers/documents/logs/survey.ts";
import { renderTerminal } from "#renderers/terminal.ts";

test("each folder has a row, and each file that cannot be read a note", () => {
  const folder = {
    folder: "/h/.claude/projects",
    files: 1_200,
    bytes: 1_500_000,
    oldest: "2026-03-01T00:00:00.000Z",
    newest: "2026-03-14T00:00:00.000Z",
    unreadable: [{ path: "/h/closed", fault: "EACCES" }],
  };
  const report = {
    clients: [{ client: "claude-code", folders: [folder], unverified: ["a fact"] }],
  };
  const text = renderTerminal(surveyDocument(report), { color: false });
  for (const part of ["1,200", "1.5 MB", "2026-03-01", "2026-03-14", "/h/.claude/projects"]) {
    expect(text).toContain(part);
  }
  expect(text).toContain("/h/closed: permission denied");
  expect(text).toMatch(/not verified +claude-code: a fact/);
  expect(surveyDocument({ clients: [] }).title).toBe("No logs");
});
