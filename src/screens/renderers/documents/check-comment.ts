import type { CheckFailure, CheckReport } from "#check/report.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { LockReport } from "#lock/lock-report.ts";
import type { Document, Span, Text } from "../document.ts";
import { buildCallSections, buildProblemSections, listVerdictNotes } from "./check.ts";
import { buildCostSections, buildDiffSections, buildDriftSections } from "./drift-sections.ts";
import { buildBaseDiffs, buildBaseDrifts, describeTokenGrowth, makeBaseNote } from "./lock.ts";
import { makeNoteName, nameServer } from "./shared-texts.ts";

// The comment of a pull request.
export function buildCommentDocument(report: CheckReport): Document {
  const { definitions, problems } = report;
  const { base } = definitions;
  return {
    title: describeOutcome(report),
    sections: [
      ...buildCostSections(base ?? definitions),
      ...buildDriftSections(definitions.drifts),
      ...buildBaseDrifts(definitions),
      ...buildProblemSections(problems.filter(({ place }) => place !== "lock")),
      ...buildCallSections(report),
      {
        kind: "notes",
        notes: [...(base ? [makeBaseNote(base)] : []), ...listVerdictNotes(report)],
      },
      ...buildDiffSections(definitions.diffs),
      ...buildBaseDiffs(definitions),
    ],
  };
}

export function buildFailureDocument({ error }: CheckFailure): Document {
  return {
    title: "Failed: the server could not be checked",
    sections: [{ kind: "line", text: error }],
  };
}

function describeOutcome({ failed, server, definitions }: CheckReport): Text {
  const { tools, total_tokens: tokens } = definitions;
  return [
    failed ? "Failed: " : "Passed: ",
    nameServer(server),
    `, ${pluralize(tools.after, "tool")}, ${pluralize(tokens.after, "token")}`,
    ...describeGrowth(definitions),
  ];
}

function describeGrowth({
  base,
  lock_file: file,
  total_tokens: tokens,
}: LockReport): readonly Span[] {
  const before = base ? base.total_tokens.before : tokens.before;
  if (before === null) return [];
  const growth = tokens.after - before;
  return [
    `, ${describeTokenGrowth(growth)} ${growth === 0 ? "as" : "than"} `,
    makeNoteName(base?.name ?? file),
  ];
}
