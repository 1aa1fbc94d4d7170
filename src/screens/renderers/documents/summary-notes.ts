import type { ListState } from "#tokens/cost/tool-list.ts";
import { noteDetailColumnsMax } from "../../limits.ts";
import type { UsageReport } from "#history/reports/usage-report.ts";
import {
  compactJsonSavings,
  answerOverheads,
  type OverheadCause,
} from "#records/answer-overhead.ts";
import type { BudgetState } from "#records/record.ts";
import type {
  AlertSummary,
  BudgetSum,
  DefinitionsSummary,
  Summary,
  ShapeSum,
  ToolRow,
} from "#records/summary.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import { formatBytes, formatCount, formatShare, plural } from "#kit/text/numbers.ts";
import { countedBy, makerNotes, costNotes, statedErrorColumnsMax } from "./cost-notes.ts";
import type { Note, Span } from "../document.ts";
import {
  separated,
  toolLabel,
  isRange,
  tokenFormat,
  windowShare,
  type TokenFormat,
} from "./parts.ts";
import { pagesRead } from "../../sentences.ts";

export const serversNamedMax = 5;

export function summaryNotes(summary: Summary, format: TokenFormat): readonly Note[] {
  return [
    ...contextNotes(summary, format),
    ...definitionNotes(summary, format),
    ...listNotes(summary),
    ...viewNotes(summary),
    ...costNotes(summary),
    ...budgetNotes(summary, format),
    ...rangeNotes(summary),
    ...wasteNotes(summary, format),
    ...summary.alerts.map(alertNote),
    ...problemNotes(summary),
    ...estimationNotes(summary),
  ];
}

function contextNotes(summary: Summary, { range, count }: TokenFormat): readonly Note[] {
  const { definitions, total, window } = summary;
  if (!definitions || summary.sessions !== 1) return [];
  const resident = definitions.resident_tokens;
  const loaded = definitions.loaded_tokens;
  const { total_tokens: called, most_tokens: most = called } = total;
  const used = resident + loaded + called;
  const parts = [
    `${count(resident)} in definitions and instructions`,
    ...(loaded > 0 ? [`${count(loaded)} in loaded definitions`] : []),
    `${range(called, most)} in calls`,
  ].join(", ");
  const all = `${range(used, used - called + most)} ${used === 1 ? "token" : "tokens"}`;
  const text = `${all}, ${windowShare(used / window, window)}: ${parts}`;
  return [{ label: "in context", text }];
}

function definitionNotes(summary: Summary, format: TokenFormat): readonly Note[] {
  const { definitions, unused } = summary;
  if (!definitions) return [];
  const { tokens } = format;
  const notes: Note[] = [];
  if (definitions.tools > 0) notes.push(listedNote(definitions, summary, format));
  if (definitions.is_deferred) {
    const { loaded_tools: loaded, loaded_tokens: cost } = definitions;
    const text = `${formatCount(loaded)} of ${plural(definitions.tools, "definition")}, ${tokens(cost)}; this client loads them on demand`;
    notes.push({ label: "loaded", text });
  }
  if (definitions.reordered) {
    const times = plural(definitions.reordered, "time");
    const text = `in another order ${times}: providers cache a prompt only up to the first tool that moved`;
    notes.push({ label: "tool list", text });
  }
  if (definitions.skills) {
    const { listed, tokens: cost } = definitions.skills;
    notes.push({
      label: "skills",
      text: `${formatCount(listed)}, ${tokens(cost)} of the definitions`,
    });
  }
  if (definitions.instructions_tokens > 0) {
    notes.push({ label: "instructions", text: tokens(definitions.instructions_tokens) });
  }
  // Where nothing of a tool stays in the context, nothing is saved without it.
  if (unused && unused.tokens > 0) {
    const text = `${formatCount(unused.unused)} of ${plural(unused.listed, "tool")}, ${tokens(unused.tokens)} in context`;
    notes.push({ label: "unused", text });
  }
  return notes;
}

function listedNote(
  definitions: DefinitionsSummary,
  { servers, window }: Summary,
  format: TokenFormat,
): Note {
  const { tokens } = definitions.counted_by ? tokenFormat(false) : format;
  const share = windowShare(definitions.share, window);
  const expensive = separated(
    definitions.most_expensive.map((tool) => [
      { name: toolLabel(tool.name, tool.server, servers) },
      ` ${formatCount(tool.tokens)}`,
    ]),
  );
  return {
    label: "listed",
    text: [
      `${plural(definitions.tools, "tool")}, ${tokens(definitions.tokens)}, ${share}`,
      ...(expensive.length > 0 ? ["; most expensive: ", ...expensive] : []),
    ],
  };
}

function listNotes({ definitions, servers }: Summary): readonly Note[] {
  const notes = (definitions?.lists ?? []).flatMap(({ server, state, tools }): Note[] => {
    const text = listText(state, tools);
    const subject: readonly Span[] = servers.length > 1 ? [{ name: server }, ": "] : [];
    return text === undefined ? [] : [{ label: "tool list", text: [...subject, text] }];
  });
  return notes.slice(0, serversNamedMax);
}

function listText(state: ListState, tools: number): string | undefined {
  const after = tools === 0 ? "" : ` after ${plural(tools, "tool")}`;
  if (state === "failed") return `failed${after}`;
  if (state === "cut_short")
    return `cut short${after}: later pages were not requested or not answered`;
  return state === "complete" && tools === 0 ? "empty: the server has no tools" : undefined;
}

export function viewNotes({ view }: Pick<UsageReport, "view">): readonly Note[] {
  if (!view || view.calls === 0) return [];
  return [{ label: "pages", text: pagesRead(view.calls, formatBytes(view.bytes)) }];
}

function budgetNotes(summary: Summary, { tokens }: TokenFormat): readonly Note[] {
  const { budgets, budget_sums: sums, assumed_tokens: assumed, servers } = summary;
  const notes = sums
    ? sums.map((sum) => budgetNote(sum, budgetScope(sum, servers), budgetSpent(sum)))
    : budgets.map((state) => budgetNote(state, state.tool, amountSpent(state)));
  if (assumed === 0 || !budgets.some(({ unit }) => unit === "tokens")) return notes;
  const text = `budgets count ${tokens(assumed)} more: the most that the client may show, until --client names it`;
  return [...notes, { label: "note", text }];
}

function rangeNotes({ tools, total }: Summary): readonly Note[] {
  const hasRange = [...tools, total].some((row) => isRange(row.total_tokens, row.most_tokens));
  const text =
    "a range ends with media as base64 and both halves of answers, which a client without a known reading may show; --client NAME names one that is known";
  return hasRange ? [{ label: "note", text }] : [];
}

function budgetNote({ budget, breaches }: BudgetState, scope: string | null, spent: string): Note {
  const subject: readonly Span[] = scope === null ? [] : [" for ", { name: scope }];
  const breached = breaches > 0 ? `, ${plural(breaches, "breach")}` : "";
  return { label: "budget", text: [{ name: budget }, ...subject, `: ${spent}${breached}`] };
}

function budgetScope({ tool, server }: BudgetSum, servers: readonly string[]): string | null {
  if (tool !== null) return toolLabel(tool, server ?? "", servers);
  return servers.length > 1 ? server : null;
}

function budgetSpent(sum: BudgetSum): string {
  const { per, sessions } = sum;
  if (sessions === 1 || (per !== "call" && per !== "session")) return amountSpent(sum);
  const where = per === "call" ? "in one call of" : "in one of";
  return `at most ${amountSpent(sum)} ${where} ${plural(sessions, "session")}`;
}

function amountSpent({ spent, limit, unit }: BudgetState): string {
  return `${formatCount(spent)} of ${formatCount(limit)} ${unit} spent`;
}

function wasteNotes(summary: Summary, { tokens }: TokenFormat): readonly Note[] {
  const { repeats, duplicate_tokens: duplicate, total } = summary;
  const notes: Note[] = [];
  if (total.refused_tokens > 0) {
    const calls = plural(total.refused, "call");
    const text = `${calls}, ${tokens(total.refused_tokens)} of arguments and refusals, charged to no budget`;
    notes.push({ label: "refused", text });
  }
  if (repeats.calls > 0) {
    const most: readonly Span[] =
      repeats.tool === null ? [] : ["; most often ", { name: repeats.tool }];
    const calls = `${plural(repeats.calls, "identical call")}, ${tokens(repeats.tokens)}`;
    notes.push({ label: "repeated", text: [calls, ...most] });
  }
  if (duplicate > 0) {
    notes.push({
      label: "duplicate",
      text: `${tokens(duplicate)} of text repeat structuredContent`,
    });
  }
  for (const { tool, tokens: saved, share } of compactJsonSavings(summary.tools)) {
    const saving = `: minified JSON would save ${formatShare(share)} (${tokens(saved)})`;
    notes.push({ label: "compact JSON", text: [{ name: tool }, saving] });
  }
  notes.push(...overheadNotes(summary.tools), ...shapeNotes(summary.tools));
  return notes;
}

const alertLabels: ReadonlyMap<string, string> = new Map([
  ["would_truncate", "client limit"],
  ["would_spill", "client limit"],
]);

function alertNote({ alert, tool, detail, count }: AlertSummary): Note {
  const subject: readonly Span[] = tool === null ? [] : [{ name: tool }, ": "];
  const times = count > 1 ? ` (${count} times)` : "";
  return {
    label: alertLabels.get(alert) ?? clip(alert.replaceAll("_", " ")),
    text: [...subject, `${clip(detail, noteDetailColumnsMax)}${times}`],
  };
}

function problemNotes(summary: Summary): readonly Note[] {
  const problems = [
    [summary.total.abandoned, "call", " never answered"],
    [
      summary.truncated_calls,
      "call",
      " too long, too deeply nested or too late to count exactly; priced by length",
    ],
    [
      summary.scripted_answers,
      "answer",
      " to scripts of the client; counted as the most that its model can read",
    ],
    [
      summary.unclear_messages,
      "message",
      " held back: each was not exactly one valid message for all readers",
    ],
    [summary.unknown_answers, "answer", " without a matching request"],
    [summary.late_answers, "answer", " to a cancelled call; not charged"],
    [summary.opaque_server_lines, "line", " from the server that cannot be parsed as JSON-RPC"],
    [summary.dropped_records, "record", " not written to disk"],
    [summary.observer_faults, "metering fault", "; traffic was not affected"],
  ] as const;
  const notes = problems
    .filter(([count]) => count > 0)
    .map(([count, noun, rest]) => `${plural(count, noun)}${rest}`);
  const bytes = summary.unjudged_bytes;
  if (bytes > 0) notes.push(`${formatBytes(bytes)} that passed last not read: the client left`);
  return notes.map((text) => ({ label: "note", text }));
}

function estimationNotes({ estimation, definitions }: Summary): readonly Note[] {
  if (!estimation) return [];
  const { estimator, confidence, error, is_estimated: isEstimated } = estimation;
  const how = { id: clip(estimator), confidence, error: clip(error, statedErrorColumnsMax) };
  return [...makerNotes(definitions?.counted_by), countedBy(how, isEstimated)];
}

const overheadsShownMax = 3;

type Cause = { readonly name: string; readonly advice: string };

const causes: { readonly [cause in OverheadCause]: Cause } = {
  instructions: {
    name: "instructions to the model",
    advice: "move them to the tool's description or the server's instructions, which are read once",
  },
  structure: {
    name: "JSON keys and punctuation",
    advice: "return fewer fields, or rows under one header row",
  },
  user_only: {
    name: "blocks for the user alone",
    advice: "leave them out: this client shows them to the model",
  },
};

function overheadNotes(tools: readonly ToolRow[]): readonly Note[] {
  const notes = answerOverheads(tools).map(({ tool, share, causes: found }): Note["text"] => {
    const parts = found.map((one) => `${causes[one.cause].name} ${formatShare(one.share)}`);
    const advice = found.slice(0, 1).map(({ cause }) => causes[cause].advice);
    const ratio = `${formatShare(share)} of the tokens in its answers are not data`;
    return [{ name: tool }, `: ${ratio}: ${[parts.join(", "), ...advice].join("; ")}`];
  });
  return firstNotes("not data", notes);
}

function firstNotes(label: string, texts: readonly Note["text"][]): readonly Note[] {
  const omitted = texts.length - overheadsShownMax;
  const more = `and ${plural(omitted, "more tool")}; use --summary json to list all`;
  const shown = omitted > 0 ? [...texts.slice(0, overheadsShownMax), more] : texts;
  return shown.map((text) => ({ label, text }));
}

function shapeNotes(tools: readonly ToolRow[]): readonly Note[] {
  const notes = tools.flatMap(({ tool, shape }): Note["text"][] => {
    const facts = shape ? shapeFacts(shape) : [];
    return facts.length === 0 ? [] : [[{ name: tool }, `: ${facts.join("; ")}`]];
  });
  return firstNotes("data shape", notes);
}

function shapeFacts(sum: ShapeSum): readonly string[] {
  const { tables, rows, truncated, cached, max_row_limit: limit, limit_reached: reached } = sum;
  const facts: string[] = [];
  // A list of one object is rarely a table.
  if (sum.max_rows > 1) {
    const size = `${plural(sum.max_rows, "row")} and ${plural(sum.max_columns, "column")}`;
    const average = `, ${plural(Math.round(rows / tables), "row")} on average`;
    facts.push(
      tables === 1
        ? `1 table of ${size}`
        : `${formatCount(tables)} tables of up to ${size}${average}`,
    );
  }
  if (truncated > 0) facts.push(`${formatCount(truncated)} truncated`);
  if (cached > 0) facts.push(`${formatCount(cached)} from a cache`);
  const filled = reached > 0 ? `; ${plural(reached, "table")} reached the limit` : "";
  if (limit > 0) facts.push(`row limits up to ${formatCount(limit)}${filled}`);
  return facts;
}
