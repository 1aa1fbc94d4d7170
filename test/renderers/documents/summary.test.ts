import { expect, test } from "bun:test";
import { summaryDocument } from "#renderers/documents/summary.ts";
import { terminalText } from "#renderers/terminal-text.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { summaryOf } from "../../support/play.ts";

test("summaryDocument names five servers and clients at most", () => {
  const summary = summaryOf(
    [1, 2, 3, 4, 5, 6].flatMap((at) => [
      sessionRecord({ session_id: `${at}`, server: `s${at}`, client_name: "host" }),
      callRecord({ server: `s${at}` }),
    ]),
  );
  expect(terminalText(summaryDocument(summary).title)).toBe(
    "mcp-meter: s1, s2, s3, s4, s5 for host, 6 sessions",
  );
});

test("summaryDocument without a client names the server alone", () => {
  const { title } = summaryDocument(summaryOf([sessionRecord({ client_name: null })]));
  expect(terminalText(title)).toBe("mcp-meter: garden");
});

test("summaryDocument without a call has notes and no rows", () => {
  const { sections } = summaryDocument(summaryOf([sessionRecord(), definitionsRecord()]));
  expect(sections).toMatchObject([{ kind: "grid", rows: [] }, { kind: "notes" }]);
});
