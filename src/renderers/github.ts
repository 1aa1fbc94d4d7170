import { stepSummaryBytesMax } from "#limits.ts";
import type { CheckReport } from "#check/report.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";

/** Problems named in an annotation; it holds a few lines. */
const problemsNamed = 5;

/**
 * A check for the log of a GitHub Actions step: the table, in which no name can give a command, then at
 * most one annotation for the server.
 */
export function checkAsGithub(report: CheckReport, table: string, token: string): string {
  const shielded = `::stop-commands::${token}\n${table}::${token}::\n`;
  const annotation = annotationOf(report);
  return annotation === undefined ? shielded : `${shielded}${annotation}\n`;
}

function annotationOf({ problems, failed, server }: CheckReport): string | undefined {
  if (problems.length === 0) return undefined;
  const level = failed ? "error" : "warning";
  const title = `mcp-meter: ${server.name ?? "server"}`;
  const lines = problems
    .slice(0, problemsNamed)
    .map(({ about, text }) => (about === null ? text : `${about.slice(0, 60)}: ${text}`));
  const more = problems.length - problemsNamed;
  if (more > 0) lines.push(`and ${more} more`);
  const message = lines.map((line) => escapeUnsafe(line.slice(0, 300))).join("\n");
  return `::${level} title=${asProperty(title)}::${asData(message)}`;
}

function asData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function asProperty(text: string): string {
  return asData(escapeUnsafe(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Room for what a summary says about its own cut. */
const noteBytes = 200;

/**
 * Markdown cut to what is left of a step's summary, at the end of a line and with a note; empty when not
 * even the note fits. `takenBytes` is what the summary holds already.
 */
export function boundedSummary(markdown: string, takenBytes: number): string {
  const room = stepSummaryBytesMax - 1 - takenBytes;
  const encoder = new TextEncoder();
  if (encoder.encode(markdown).length <= room) return markdown;
  if (room < noteBytes) return "";
  const lines = markdown.split("\n");
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += encoder.encode(line).length + 1;
    if (bytes > room - noteBytes) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  const note = `_Cut here: ${left} more lines do not fit into the 1 MiB of a step summary; see the log or --format json._`;
  return `${[...kept, "", note].join("\n")}\n`;
}
