import type { CheckFailure, CheckReport, Problem } from "#check/report.ts";
import { clip, problemColumnsMax } from "#kit/text/columns.ts";
import type { Document } from "./document.ts";
import { mergeRounds } from "./documents/check.ts";
import { describeProblem } from "./documents/shared-texts.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

// GitHub shows only a few lines of an annotation.
const annotationProblemsMax = 5;

// Between `::stop-commands::TOKEN` and `::TOKEN::`, GitHub's runner ignores commands, so the table cannot inject any.
export function renderGithub(
  document: Document,
  report: CheckReport,
  { color, token }: TerminalOptions & { readonly token: string },
): string {
  const table = renderTerminal(document, { color });
  const shieldedTable = `::stop-commands::${token}\n${table}::${token}::\n`;
  return report.problems.length === 0
    ? shieldedTable
    : `${shieldedTable}${formatAnnotation(report)}\n`;
}

export function renderGithubFailure({ error }: CheckFailure): string {
  return `::error title=mcp-meter::${escapeData(clip(error, problemColumnsMax))}\n`;
}

function formatAnnotation({ problems, failed, server }: CheckReport): string {
  const level = failed ? "error" : "warning";
  const title = clip(`mcp-meter: ${server.name ?? "server"}`, problemColumnsMax);
  return `::${level} title=${escapeProperty(title)}::${escapeData(formatMessage(mergeRounds(problems)))}`;
}

function formatMessage(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, annotationProblemsMax)
    .map((problem) => clip(describeProblem(problem), problemColumnsMax));
  const omitted = problems.length - lines.length;
  return [...lines, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join("\n");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
