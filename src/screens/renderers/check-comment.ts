import type { CheckFailure, CheckReport } from "#check/report.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { LockReport } from "#lock/lock-report.ts";
import type { Document, Span, Text } from "./document.ts";
import { buildCallSections, buildProblemSections, listVerdictNotes } from "./documents/check.ts";
import {
  buildCostSections,
  buildDiffSections,
  buildDriftSections,
} from "./documents/drift-sections.ts";
import {
  buildBaseDiffs,
  buildBaseDrifts,
  describeTokenGrowth,
  makeBaseNote,
} from "./documents/lock.ts";
import { makeNoteName, makeRelativeUri, nameServer } from "./documents/shared-texts.ts";
import { renderBlocks } from "./markdown.ts";

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

// GitHub accepts 65,536 characters in a comment, and its Linux runners accept 128 KiB in an environment variable.
const commentCharactersMax = 65_000;

const commentNoteCharactersMax = 200;

// The comment's first line is hidden and contains the path of the lock. The next run finds the comment by that line.
export function renderComment(document: Document, lockFile: string): string {
  const blocks = [formatMarker(lockFile), ...renderBlocks(document)];
  const comment = joinBlocks(blocks);
  return measureText(comment) <= commentCharactersMax ? comment : joinBlocks(fitBlocks(blocks));
}

function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}

function fitBlocks(blocks: readonly string[]): readonly string[] {
  const fitted: string[] = [];
  let room = commentCharactersMax - commentNoteCharactersMax;
  for (const block of blocks) {
    // With the empty line after the block.
    const size = measureText(block) + 2;
    if (size > room) continue;
    fitted.push(block);
    room -= size;
  }
  const omitted = pluralize(blocks.length - fitted.length, "section");
  const note = `_Left out ${omitted}, because the comment would be too long; --format json has them all._`;
  return [...fitted, note];
}

// Returns the number of characters, or half the bytes if that is more: the byte limit is twice the character limit.
function measureText(text: string): number {
  return Math.max(text.length, new TextEncoder().encode(text).length / 2);
}

// An HTML comment must not contain `--`.
function formatMarker(lockFile: string): string {
  return `<!-- mcp-meter check: ${makeRelativeUri(lockFile).replaceAll("--", "-%2D")} -->`;
}
