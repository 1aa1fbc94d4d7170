import { problemColumnsMax } from "#kit/limits.ts";
import type { CheckFailure } from "#check/failure.ts";
import type { CheckReport, Problem } from "#check/report.ts";
import { clip } from "#kit/text/display.ts";
import type { Document } from "./document.ts";
import { mergeRounds } from "./merge-rounds.ts";
import { problemText } from "./problem-text.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

// An annotation has room for a few lines.
const annotationProblemsMax = 5;

/** The table is between two `token`s, which keep the runner from obeying anything in it; then comes at most one annotation. */
export function renderGithub(
  document: Document,
  report: CheckReport,
  { color, token }: TerminalOptions & { readonly token: string },
): string {
  const table = renderTerminal(document, { color });
  const shielded = `::stop-commands::${token}\n${table}::${token}::\n`;
  return report.problems.length === 0 ? shielded : `${shielded}${annotation(report)}\n`;
}

export function renderGithubFailure({ error }: CheckFailure): string {
  return `::error title=mcp-meter::${escapeData(clip(error, problemColumnsMax))}\n`;
}

function annotation({ problems: all, failed, server }: CheckReport): string {
  const problems = mergeRounds(all);
  const level = failed ? "error" : "warning";
  const title = clip(`mcp-meter: ${server.name ?? "server"}`, problemColumnsMax);
  return `::${level} title=${escapeProperty(title)}::${escapeData(message(problems))}`;
}

function message(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, annotationProblemsMax)
    .map((problem) => clip(problemText(problem), problemColumnsMax));
  const omitted = problems.length - lines.length;
  return [...lines, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join("\n");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
