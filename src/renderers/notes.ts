import { compactJsonSavings } from "#records/compact-json.ts";
import type { Confidence } from "#cost/estimation.ts";
import type { BudgetState } from "#records/record.ts";
import type { Summary } from "#records/summary.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { estimateMark } from "./columns.ts";
import { plural, shownCount, shownName, shownShare } from "./text.ts";

/** Shows a text that is not ours the way a format wants it; unsafe characters are escaped already. */
export type ShowName = (safe: string) => string;

/** A line under the table: what it is about, and what it says. */
export type Note = { readonly about: string; readonly says: string };

const dots: { readonly [confidence in Confidence]: string } = {
  high: "●●●",
  medium: "●●○",
  low: "●○○",
};

/** The lines under the table, in the order they are printed; each only when it has something to say. */
export function notesOf(
  summary: Summary,
  name: ShowName,
  prose: ShowName = (text) => text,
): Note[] {
  const mark = estimateMark(summary);
  const tokens = (count: number): string => `${mark}${shownCount(count)} tokens`;
  return [
    ...totalNotes(summary, tokens),
    ...definitionNotes(summary, tokens, name),
    ...budgetNotes(summary, name),
    ...wasteNotes(summary, tokens, name),
    ...summary.alerts.map(({ alert, tool, detail, count }) => ({
      about: prose(alert.replaceAll("_", " ")),
      says: `${tool === null ? "" : `${name(shownName(tool))}: `}${prose(shownName(detail, 160))}${count > 1 ? ` (${count} times)` : ""}`,
    })),
    ...troubleNotes(summary),
    ...estimationNotes(summary, mark, prose),
  ].map(({ about, says }) => ({ about: escapeUnsafe(about), says: escapeUnsafe(says) }));
}

/** What fills the context in all: definitions and instructions as they stay in it, and every call. */
function totalNotes(summary: Summary, tokens: (count: number) => string): Note[] {
  const { definitions, total, window } = summary;
  if (!definitions || summary.sessions !== 1) return [];
  const kept = definitions.resident_tokens;
  const all = kept + total.total_tokens;
  const share = `${shownShare(all / window)} of a window of ${shownCount(window)}`;
  const parts = `${tokens(kept)} of definitions and instructions, ${tokens(total.total_tokens)} of calls`;
  return [{ about: "in all", says: `${tokens(all)}, ${share}: ${parts}` }];
}

function definitionNotes(
  summary: Summary,
  tokens: (count: number) => string,
  name: ShowName,
): Note[] {
  const { definitions, unused } = summary;
  if (!definitions) return [];
  const dearest = definitions.dearest.map(
    (tool) => `${name(shownName(tool.name))} ${shownCount(tool.tokens)}`,
  );
  const share = `${shownShare(definitions.share)} of a window of ${shownCount(summary.window)}`;
  const notes: Note[] = [];
  if (definitions.tools > 0) {
    notes.push({
      about: "definitions",
      says: `${plural(definitions.tools, "tool")}, ${tokens(definitions.tokens)}, ${share}${dearest.length > 0 ? `; dearest: ${dearest.join(", ")}` : ""}`,
    });
  }
  if (definitions.is_deferred) {
    const says = `this client loads definitions on demand, ${tokens(definitions.resident_tokens)} stay in context`;
    notes.push({ about: "resident", says });
  }
  if (definitions.instructions_tokens > 0) {
    notes.push({ about: "instructions", says: tokens(definitions.instructions_tokens) });
  }
  if (unused && unused.unused > 0) {
    notes.push({
      about: "unused",
      says: `${shownCount(unused.unused)} of ${plural(unused.listed, "tool")} were never called; their definitions are ${tokens(unused.tokens)}`,
    });
  }
  return notes;
}

function budgetNotes({ budgets }: Summary, name: ShowName): Note[] {
  return budgets.map((counter) => ({ about: "budget", says: budgetText(counter, name) }));
}

function budgetText(
  { budget, tool, spent, limit, unit, breaches }: BudgetState,
  name: ShowName,
): string {
  const whose = tool === null ? "" : ` ${name(shownName(tool))}:`;
  const breached = breaches > 0 ? `, ${plural(breaches, "breach")}` : "";
  return `${name(shownName(budget))}:${whose} ${shownCount(spent)} of ${shownCount(limit)} ${unit} spent${breached}`;
}

function wasteNotes(summary: Summary, tokens: (count: number) => string, name: ShowName): Note[] {
  const { repeats, duplicate_tokens: duplicate } = summary;
  const notes: Note[] = [];
  if (repeats.calls > 0) {
    const most = repeats.tool === null ? "" : `, most often ${name(shownName(repeats.tool))}`;
    const says = `${plural(repeats.calls, "call")} asked what had been asked before, ${tokens(repeats.tokens)}${most}`;
    notes.push({ about: "repeated", says });
  }
  if (duplicate > 0) {
    const says = `${tokens(duplicate)} of text say the same as structuredContent`;
    notes.push({ about: "duplicate", says });
  }
  for (const { tool, tokens: saved, share } of compactJsonSavings(summary.tools)) {
    const says = `minified, ${name(shownName(tool))}'s answers would be ${shownShare(share)} smaller (${tokens(saved)})`;
    notes.push({ about: "compact JSON", says });
  }
  return notes;
}

function troubleNotes(summary: Summary): Note[] {
  const troubles = [
    [summary.total.abandoned, "never answered", "call"],
    [summary.truncated_calls, "too long to count exactly, priced by length", "call"],
    [summary.unknown_answers, "to no open request, passed on and not charged", "answer"],
    [summary.late_answers, "after the call was cancelled, not charged", "answer"],
    [summary.opaque_server_lines, "of the server not JSON-RPC", "line"],
    [summary.dropped_records, "lost on the way to the disk", "record"],
    [summary.observer_faults, "while metering; traffic went on", "fault"],
  ] as const;
  return troubles
    .filter(([count]) => count > 0)
    .map(([count, what, noun]) => ({ about: "note", says: `${plural(count, noun)} ${what}` }));
}

function estimationNotes({ estimation }: Summary, mark: string, prose: ShowName): Note[] {
  if (!estimation) return [];
  const { estimator, confidence, error } = estimation;
  const hint = mark === "" ? "" : `; ${mark} marks estimates`;
  return [
    { about: "counted by", says: `${prose(`${estimator} ${dots[confidence]} ${error}`)}${hint}` },
  ];
}
