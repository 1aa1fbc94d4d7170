import type { CheckFailure } from "#check/failure.ts";
import type { CheckReport } from "#check/report.ts";
import { checkRowsMax } from "../../limits.ts";
import type { LockReport } from "#lock/lock-report.ts";
import { plural } from "#kit/text/numbers.ts";
import type { Document, Section, Span, Text } from "../document.ts";
import { mergeRounds } from "../merge-rounds.ts";
import { baseDiffs, baseDrifts, baseNotes, growthText } from "./base.ts";
import { callSections, problemNote, verdictNotes } from "./check.ts";
import { costSections } from "./cost-changes.ts";
import { diffSections, driftSections } from "./drift-sections.ts";
import { noteName, omittedLine, serverTitle } from "./parts.ts";

/** Diffs come last, because a limit of length cuts the end. */
export function commentDocument(report: CheckReport): Document {
  const { definitions, problems } = report;
  const { base } = definitions;
  const others = mergeRounds(problems.filter(({ place }) => place !== "lock"));
  return {
    title: titleText(report),
    sections: [
      ...costSections(base ?? definitions),
      ...driftSections(definitions.drifts),
      ...baseDrifts(definitions),
      { kind: "notes", notes: others.slice(0, checkRowsMax).map(problemNote) },
      ...omittedLine(others.length, checkRowsMax, "problem"),
      ...callSections(report),
      { kind: "notes", notes: [...(base ? baseNotes(base) : []), ...verdictNotes(report)] },
      ...changedDefinitions(definitions),
    ],
  };
}

export function failureDocument({ error }: CheckFailure): Document {
  return {
    title: "Failed: the server could not be checked",
    sections: [{ kind: "line", text: error }],
  };
}

function titleText({ failed, server, definitions }: CheckReport): Text {
  const { tools, total_tokens: tokens } = definitions;
  return [
    failed ? "Failed: " : "Passed: ",
    serverTitle(server),
    `, ${plural(tools.after, "tool")}, ${plural(tokens.after, "token")}`,
    ...earlierText(definitions),
  ];
}

function earlierText({ base, lock_file: file, total_tokens: tokens }: LockReport): readonly Span[] {
  const before = base ? base.total_tokens.before : tokens.before;
  if (before === null) return [];
  const growth = tokens.after - before;
  return [`, ${growthText(growth)} ${growth === 0 ? "as" : "than"} `, noteName(base?.name ?? file)];
}

function changedDefinitions(definitions: LockReport): readonly Section[] {
  return [...diffSections(definitions.diffs), ...baseDiffs(definitions)];
}
