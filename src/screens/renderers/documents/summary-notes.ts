import type { ListState } from "#tokens/cost/tool-list.ts";
import type { UsageReport } from "#history/reports/usage-report.ts";
import {
  findCompactJsonSavings,
  findAnswerOverheads,
  type OverheadCause,
} from "#records/reported-overheads.ts";
import type { BudgetState } from "#records/record.ts";
import {
  type AlertSummary,
  type BudgetSum,
  type DefinitionsSummary,
  formatUse,
  type Summary,
  type ShapeSum,
  type ToolRow,
  type TotalRow,
  type UnusedSummary,
} from "#records/summary.ts";
import { clip } from "#kit/text/columns.ts";
import { formatBytes, formatCount, formatShare, pluralize } from "#kit/text/numbers.ts";
import { listChangeNotes, listCostNotes } from "./cost-notes.ts";
import type { Note, Span } from "../document.ts";
import {
  joinWithCommas,
  labelTool,
  noteIf,
  describePagesRead,
  describeTokenParts,
  describeWindowShare,
  noteDetailColumnsMax,
} from "./shared-texts.ts";
import { needsRange, pickDefinitionFormat, type TokenFormat } from "../token-ranges.ts";
import { listMakerNotes, makeSummaryEstimatorNote } from "./estimator-notes.ts";

export const serversNamedMax = 5;

export function listSummaryNotes(summary: Summary, format: TokenFormat): readonly Note[] {
  return [
    ...listContextNotes(summary, format),
    ...listDefinitionNotes(summary, format),
    ...(summary.list_changes ? listChangeNotes(summary.list_changes, format) : []),
    ...listToolListNotes(summary),
    ...listViewNotes(summary),
    ...listCostNotes(summary),
    ...listBudgetNotes(summary, format),
    ...listRangeNotes(summary),
    ...listWasteNotes(summary, format),
    ...summary.alerts.map(makeAlertNote),
    ...listProblemNotes(summary),
    ...listEstimationNotes(summary),
  ];
}

function listContextNotes(summary: Summary, format: TokenFormat): readonly Note[] {
  const { definitions, total, window } = summary;
  if (!definitions || summary.sessions !== 1) return [];
  const { range } = format;
  const inDefinitions = definitions.resident_tokens + definitions.loaded_tokens;
  const { total_tokens: inCalls, most_tokens: mostInCalls = inCalls } = total;
  const used = inDefinitions + inCalls;
  const parts = describeTokenParts(definitions, range(inCalls, mostInCalls), format);
  const totalText = `${range(used, inDefinitions + mostInCalls)} ${used === 1 ? "token" : "tokens"}`;
  const text = `${totalText}, ${describeWindowShare(used / window, window)}: ${parts}`;
  return [{ label: "in context", text }];
}

function listDefinitionNotes(summary: Summary, format: TokenFormat): readonly Note[] {
  const { definitions, unused } = summary;
  if (!definitions) return [];
  const { tokens } = format;
  const { tools, reordered = 0, skills, instructions_tokens: instructions } = definitions;
  const loadedCount = `${formatCount(definitions.loaded_tools)} of ${pluralize(tools, "definition")}`;
  const loadedText = `${loadedCount}, ${tokens(definitions.loaded_tokens)}; this client loads them on demand`;
  const reorderedText = `sent in another order ${pluralize(reordered, "time")}: providers cache a prompt only up to the first tool that moved`;
  return [
    ...(tools > 0 ? [makeListedNote(definitions, summary, format)] : []),
    ...listTrimNotes(definitions, summary, format),
    ...noteIf(definitions.is_deferred && tools > 0, "loaded", loadedText),
    ...noteIf(reordered > 0, "tool list", reorderedText),
    ...(skills ? [makeSkillsNote(skills, format)] : []),
    ...noteIf(instructions > 0, "instructions", tokens(instructions)),
    ...(unused && unused.tokens > 0 ? [makeUnusedNote(unused, format)] : []),
  ];
}

function makeSkillsNote(
  { listed, tokens: cost }: NonNullable<DefinitionsSummary["skills"]>,
  { tokens }: TokenFormat,
): Note {
  return {
    label: "skills",
    text: `${formatCount(listed)}, ${tokens(cost)}, counted in the definitions`,
  };
}

function makeUnusedNote(
  { unused, listed, tokens: cost }: UnusedSummary,
  { tokens }: TokenFormat,
): Note {
  const tools = `${formatCount(unused)} of ${pluralize(listed, "tool")}`;
  return { label: "unused", text: `${tools}, ${tokens(cost)} in context` };
}

function makeListedNote(
  definitions: DefinitionsSummary,
  { servers, window }: Summary,
  format: TokenFormat,
): Note {
  const { tokens } = pickDefinitionFormat(definitions, format);
  const share = describeWindowShare(definitions.share, window);
  const expensive = joinWithCommas(
    definitions.most_expensive.map((tool) => [
      { name: labelTool(tool.name, tool.server, servers) },
      ` ${formatCount(tool.tokens)}`,
    ]),
  );
  return {
    label: "listed",
    text: [
      `${pluralize(definitions.tools, "tool")}, ${tokens(definitions.tokens)}, ${share}`,
      ...(expensive.length > 0 ? ["; most expensive: ", ...expensive] : []),
    ],
  };
}

function listTrimNotes(
  definitions: DefinitionsSummary,
  { hidden_calls: calls = 0 }: Summary,
  { tokens }: TokenFormat,
): readonly Note[] {
  const { hidden_tools: hidden = 0, untrimmed_tokens: untrimmed, tokens: shown } = definitions;
  if (untrimmed === undefined) return [];
  const listed = pluralize(definitions.tools + hidden, "tool");
  const loading = definitions.is_deferred ? ", which loads definitions on demand" : "";
  const parts = [
    `${tokens(untrimmed)} listed by the server, ${tokens(shown)} shown to the client${loading}`,
    ...(hidden > 0 ? [`${formatCount(hidden)} of ${listed} hidden`] : []),
    ...(calls > 0 ? [`${pluralize(calls, "call")} to hidden tools refused`] : []),
  ];
  return [{ label: "trimmed", text: parts.join("; ") }];
}

function listToolListNotes({ definitions, servers }: Summary): readonly Note[] {
  const notes = (definitions?.lists ?? []).flatMap((list): Note[] => {
    const { server, state, tools, hidden_tools: hidden = 0 } = list;
    const text = describeToolList(state, tools + hidden);
    const subject: readonly Span[] = servers.length > 1 ? [{ name: server }, ": "] : [];
    return text === undefined ? [] : [{ label: "tool list", text: [...subject, text] }];
  });
  return notes.slice(0, serversNamedMax);
}

function describeToolList(state: ListState, tools: number): string | undefined {
  const after = tools === 0 ? "" : ` after ${pluralize(tools, "tool")}`;
  if (state === "failed") return `failed${after}`;
  if (state === "cut_short") {
    return `cut short${after}: later pages were not requested or not answered`;
  }
  return state === "complete" && tools === 0 ? "empty: the server has no tools" : undefined;
}

export function listViewNotes({ view }: Pick<UsageReport, "view">): readonly Note[] {
  if (!view || view.calls === 0) return [];
  return [{ label: "pages", text: describePagesRead(view.calls, formatBytes(view.bytes)) }];
}

function listBudgetNotes(summary: Summary, { tokens }: TokenFormat): readonly Note[] {
  const { budgets, budget_sums: sums, assumed_tokens: assumed, servers } = summary;
  const notes = sums
    ? sums.map((sum) =>
        makeBudgetNote(sum, nameBudgetScope(sum, servers), describeBudgetSpent(sum)),
      )
    : budgets.map((state) => makeBudgetNote(state, state.tool, describeBudgetSpent(state)));
  if (assumed === 0 || !budgets.some(({ unit }) => unit === "tokens")) return notes;
  const text = `budgets also count ${tokens(assumed)} that an unknown client might show; name the client with --as-client NAME`;
  return [...notes, { label: "note", text }];
}

function listRangeNotes({ tools, total }: Summary): readonly Note[] {
  const hasRange = [...tools, total].some((row) => needsRange(row.total_tokens, row.most_tokens));
  const text =
    "the upper end of a range assumes that an unknown client shows media as base64, and shows both the text and the structuredContent of an answer; name the client with --as-client NAME";
  return noteIf(hasRange, "note", text);
}

function makeBudgetNote(
  { budget, breaches, prices, user }: BudgetState,
  scope: string | null,
  spent: string,
): Note {
  const subject: readonly Span[] = [
    ...(scope === null ? [] : [" for ", { name: scope }]),
    ...(user === undefined ? [] : [", user ", { name: user }]),
  ];
  const breachText = breaches > 0 ? `, ${pluralize(breaches, "breach")}` : "";
  const priceText = prices === undefined ? "" : `, at list prices (${prices})`;
  const text = [{ name: budget }, ...subject, `: ${spent}${breachText}${priceText}`];
  return { label: "budget", text };
}

function nameBudgetScope({ tool, server }: BudgetSum, servers: readonly string[]): string | null {
  if (tool !== null) return labelTool(tool, server ?? "", servers);
  return servers.length > 1 ? server : null;
}

function describeBudgetSpent(sum: BudgetState & { readonly sessions?: number }): string {
  const { per, sessions = 1, spent } = sum;
  const use = formatUse(spent, sum);
  const sessionsText = pluralize(sessions, "session");
  if (per === "call") {
    if (spent === 0) return "no call charged";
    return `${use} in the largest call${sessions === 1 ? "" : ` of ${sessionsText}`}`;
  }
  if (per !== "session" || sessions === 1) return `${use} spent`;
  return `${use} spent in the costliest of ${sessionsText}`;
}

function listWasteNotes(summary: Summary, format: TokenFormat): readonly Note[] {
  const { tokens } = format;
  const { repeats, duplicate_tokens: duplicate, total } = summary;
  return [
    ...(total.refused_tokens > 0 ? [makeRefusedNote(total, format)] : []),
    ...(repeats.calls > 0 ? [makeRepeatedNote(repeats, format)] : []),
    ...noteIf(duplicate > 0, "duplicate", `${tokens(duplicate)} of text repeat structuredContent`),
    ...findCompactJsonSavings(summary.tools).map(({ tool, tokens: saved, share }): Note => {
      const saving = `: minified JSON would save ${formatShare(share)} (${tokens(saved)})`;
      return { label: "compact JSON", text: [{ name: tool }, saving] };
    }),
    ...listOverheadNotes(summary.tools),
    ...listShapeNotes(summary.tools),
  ];
}

function makeRefusedNote(
  { refused, withheld, refused_tokens: cost }: TotalRow,
  { tokens }: TokenFormat,
): Note {
  const withheldText =
    withheld === 0 ? "" : `, ${formatCount(withheld)} after ${withheld === 1 ? "it" : "they"} ran`;
  // Refused calls that ran still count in budgets of calls and in prices per call.
  const leftOut = `${withheld === 0 ? "" : "token "}budgets, avg, max and p95 leave out refused calls and the ${tokens(cost)} of their arguments and refusals`;
  return { label: "refused", text: `${pluralize(refused, "call")}${withheldText}; ${leftOut}` };
}

function makeRepeatedNote(
  { calls, tokens: cost, tool, notes, saved_tokens: saved = 0 }: Summary["repeats"],
  { tokens }: TokenFormat,
): Note {
  const mostOften: readonly Span[] = tool === null ? [] : ["; most often ", { name: tool }];
  const replaced = notes === 1 ? "replaced by a short note" : "replaced by short notes";
  const savings =
    notes === undefined
      ? ""
      : `; ${pluralize(notes, "unchanged answer")} ${replaced}: ${tokens(saved)} saved`;
  const count = `${pluralize(calls, "identical call")}, ${tokens(cost)}`;
  return { label: "repeated", text: [count, ...mostOften, savings] };
}

const alertLabels: ReadonlyMap<string, string> = new Map([
  ["would_truncate", "client limit"],
  ["would_spill", "client limit"],
]);

function makeAlertNote({ alert, tool, detail, count }: AlertSummary): Note {
  const subject: readonly Span[] = tool === null ? [] : [{ name: tool }, ": "];
  const times = count > 1 ? ` (${count} times)` : "";
  return {
    label: alertLabels.get(alert) ?? clip(alert.replaceAll("_", " ")),
    text: [...subject, `${clip(detail, noteDetailColumnsMax)}${times}`],
  };
}

function listProblemNotes(summary: Summary): readonly Note[] {
  const problems = [
    [summary.total.abandoned, "call", " never answered"],
    [
      summary.truncated_calls,
      "call",
      " too long, too deeply nested or too late to count exactly; estimated by length",
    ],
    [
      summary.scripted_answers,
      "answer",
      " read by client scripts first; counted in full, though the model may have read less",
    ],
    [summary.unclear_messages, "message", " held back: invalid JSON-RPC, or open to two readings"],
    [summary.unknown_answers, "answer", " without a matching request"],
    [summary.late_answers, "answer", " to a cancelled call; not charged"],
    [summary.opaque_server_lines, "line", " from the server that cannot be parsed as JSON-RPC"],
    [summary.dropped_records, "record", " not written to disk"],
    [summary.observer_faults, "metering fault", "; traffic was not affected"],
  ] as const;
  const notes = problems
    .filter(([count]) => count > 0)
    .map(([count, noun, ending]) => `${pluralize(count, noun)}${ending}`);
  const bytes = summary.unjudged_bytes;
  if (bytes > 0) {
    notes.push(
      `the last ${formatBytes(bytes)} were passed on but not counted, because the session ended`,
    );
  }
  return notes.map((text) => ({ label: "note", text }));
}

function listEstimationNotes({ estimation, definitions }: Summary): readonly Note[] {
  if (!estimation) return [];
  return [...listMakerNotes(definitions?.counted_by), makeSummaryEstimatorNote(estimation)];
}

const toolsNotedMax = 3;

const causes: {
  readonly [cause in OverheadCause]: { readonly name: string; readonly advice: string };
} = {
  instructions: {
    name: "instructions to the model",
    advice:
      "move the instructions to the tool's description or the server's instructions, which are read once",
  },
  structure: {
    name: "JSON keys and punctuation",
    advice: "return fewer fields, or a table with one header row",
  },
  user_only: {
    name: "blocks meant only for the user",
    advice: "leave out the blocks for the user: this client shows them to the model",
  },
};

function listOverheadNotes(tools: readonly ToolRow[]): readonly Note[] {
  const texts = findAnswerOverheads(tools).map(
    ({ tool, share, causes: toolCauses }): Note["text"] => {
      const shares = toolCauses.map(
        (entry) => `${causes[entry.cause].name} ${formatShare(entry.share)}`,
      );
      const advice = toolCauses.slice(0, 1).map(({ cause }) => causes[cause].advice);
      const ratio = `${formatShare(share)} of the tokens in its answers are not data`;
      return [{ name: tool }, `: ${ratio}: ${[shares.join(", "), ...advice].join("; ")}`];
    },
  );
  return limitNotes("not data", texts);
}

function limitNotes(label: string, texts: readonly Note["text"][]): readonly Note[] {
  const omitted = texts.length - toolsNotedMax;
  const more = `and ${pluralize(omitted, "more tool")}; use --summary json to list all`;
  const shown = omitted > 0 ? [...texts.slice(0, toolsNotedMax), more] : texts;
  return shown.map((text) => ({ label, text }));
}

function listShapeNotes(tools: readonly ToolRow[]): readonly Note[] {
  const texts = tools.flatMap(({ tool, shape }): Note["text"][] => {
    const facts = shape ? describeShape(shape) : [];
    return facts.length === 0 ? [] : [[{ name: tool }, `: ${facts.join("; ")}`]];
  });
  return limitNotes("data shape", texts);
}

function describeShape(sum: ShapeSum): readonly string[] {
  const { tables, rows, truncated, cached, max_row_limit: limit, limit_reached: reached } = sum;
  const facts: string[] = [];
  if (sum.max_rows > 1) {
    const size = `${pluralize(sum.max_rows, "row")} and ${pluralize(sum.max_columns, "column")}`;
    const average = `, ${pluralize(Math.round(rows / tables), "row")} on average`;
    facts.push(
      tables === 1
        ? `1 table of ${size}`
        : `${formatCount(tables)} tables of up to ${size}${average}`,
    );
  }
  if (truncated > 0) facts.push(`${pluralize(truncated, "answer")} truncated`);
  if (cached > 0) facts.push(`${pluralize(cached, "answer")} from a cache`);
  if (limit > 0) {
    const reachedText = reached > 0 ? `; ${pluralize(reached, "table")} reached the limit` : "";
    facts.push(`row limits up to ${formatCount(limit)}${reachedText}`);
  }
  return facts;
}
