import { itemTokensDefault } from "#lock/answer-worst-case.ts";
import type {
  Profile,
  ProfileComparison,
  ProfileEstimator,
  TokenChange,
  ToolChange,
} from "#lock/profile.ts";
import type { ProfiledTool, WorstCase } from "#lock/recommendations.ts";
import type { LargestAnswersVerdict } from "#check/judge-largest-answers.ts";
import { formatUse } from "#records/summary.ts";
import type { ProfileWithSavings } from "#lock/find-savings.ts";
import { clip, problemColumnsMax } from "#kit/text/columns.ts";
import { addUp, formatCount, formatShare, pluralize } from "#kit/text/numbers.ts";
import type { Column, Document, Note, Row, Section, Span, Text } from "../document.ts";
import {
  formatTokenChange,
  groupItems,
  noteIf,
  noteOmitted,
  formatRiskCell,
  nameServer,
  listNames,
  describeWindowShare,
  summaryRowsMax,
  makeNoteName,
} from "./shared-texts.ts";
import { listMakerNotes, makeEstimatorNote } from "./estimator-notes.ts";
import { makeTokenFormat, pickDefinitionFormat, type TokenFormat } from "../token-ranges.ts";
import { commonSentences } from "#kit/sentences.ts";

const savingsShownMax = 3;

const recommendationsMax = 20;

export function buildProfileDocument(profile: ProfileWithSavings): Document {
  const format = makeTokenFormat(profile.estimator.is_estimated);
  const { not_tools: invalidTools = 0 } = profile.definitions;
  const recommendations = listRecommendations(profile);
  return {
    title: nameServer(profile.server),
    sections: [
      buildToolGrid(profile, format),
      {
        kind: "notes",
        notes: [
          ...noteIf(invalidTools > 0, "warning", commonSentences.invalidTools(invalidTools)),
          ...listSizeNotes(profile, format),
          ...listVerdictNotes(profile),
        ],
      },
      { kind: "notes", notes: listSavings(profile, format) },
      { kind: "notes", notes: recommendations.slice(0, recommendationsMax) },
      ...noteOmitted(recommendations.length, recommendationsMax, "recommendation"),
    ],
  };
}

const numberColumns: readonly Column[] = [
  { head: "tokens" },
  { head: "name", dropRank: 0 },
  { head: "descr", dropRank: 4 },
  { head: "schema", dropRank: 5 },
  { head: "share", dropRank: 2 },
  { head: "window", dropRank: 3 },
  { head: "fields", dropRank: 1 },
  { head: "answer" },
  { head: "recorded", dropRank: 6 },
];

const columns: readonly Column[] = [
  { head: "tool" },
  ...numberColumns.map((column) => ({ ...column, isNumber: true })),
  { head: "risk" },
];

function buildToolGrid({ tools, definitions }: Profile, format: TokenFormat): Section {
  // The model's maker may have counted each whole definition exactly, but never its name, description or schema alone.
  const formats = { fields: format, total: pickDefinitionFormat(definitions, format) };
  const sorted = tools.toSorted((a, b) => b.tokens - a.tokens);
  const rows = sorted.slice(0, summaryRowsMax).map((tool) => formatToolRow(tool, formats));
  const hiddenTools = sorted.slice(summaryRowsMax);
  const restRows = hiddenTools.length > 0 ? [formatRestRow(hiddenTools, formats.total)] : [];
  return dropEmptyColumns(columns, [...rows, ...restRows]);
}

export function dropEmptyColumns(heads: readonly Column[], rows: readonly Row[]): Section {
  const isUsed = heads.map(
    (_, index) => rows.length === 0 || rows.some((row) => row[index] !== ""),
  );
  return {
    kind: "grid",
    columns: heads.filter((_, index) => isUsed[index]),
    rows: rows.map((row) => row.filter((_, index) => isUsed[index])),
  };
}

function formatToolRow(
  tool: ProfiledTool,
  { fields, total }: { readonly fields: TokenFormat; readonly total: TokenFormat },
): Row {
  return [
    { name: tool.name },
    total.count(tool.tokens),
    fields.count(tool.name_tokens),
    fields.count(tool.description_tokens),
    fields.count(tool.schema_tokens),
    formatShare(tool.percent_total / 100),
    formatShare(tool.percent_window / 100),
    `${tool.input_fields}/${tool.output_fields}`,
    describeAnswer(tool),
    describeRecorded(tool),
    tool.risk === null ? describeMissingLimit(tool.worst_case) : formatRiskCell(tool.risk),
  ];
}

// Without an output schema, the size of an item is only assumed, so it is not printed.
function describeAnswer({ worst_case: worst, output_fields: fields }: ProfiledTool): string {
  const { tokens, is_assumed: isAssumed, base_tokens: item, items } = worst;
  if (!isAssumed) return formatCount(tokens);
  const each = fields > 0 && item !== null ? `~${formatCount(item)}/item` : "";
  if (items === null) return each;
  return each === "" ? pluralize(items, "item") : `${formatCount(items)} × ${each}`;
}

function describeRecorded({ recorded }: ProfiledTool): string {
  if (!recorded) return "";
  const { average_tokens: average, max_tokens: mostTokens } = recorded;
  return `~${formatCount(average)}, max ~${formatCount(mostTokens)}`;
}

function describeMissingLimit({ basis }: WorstCase): string {
  return basis === "unbounded" ? "no limit declared" : "no size declared";
}

function formatRestRow(tools: readonly ProfiledTool[], { count }: TokenFormat): Row {
  const tokens = addUp(tools.map((tool) => tool.tokens));
  const empty = Array<string>(columns.length - 2).fill("");
  return [pluralize(tools.length, "more tool"), count(tokens), ...empty];
}

function listSizeNotes(profile: Profile, format: TokenFormat): readonly Note[] {
  const { definitions, instructions, window } = profile;
  const { tokens } = format;
  const totalTokens = pickDefinitionFormat(definitions, format).tokens(definitions.total_tokens);
  const share = describeWindowShare(definitions.percent_window / 100, window);
  const total = `${pluralize(definitions.tools, "tool")}, ${totalTokens}, ${share}`;
  const lists = [
    ["prompts", profile.prompts],
    ["resources", profile.resources],
    ["templates", profile.resource_templates],
  ] as const;
  const wireOnly = `${tokens(definitions.wire_only_tokens)} that the model never reads`;
  const { skills } = profile;
  const describeList = (list = { listed: 0, tokens: 0 }): string =>
    `${formatCount(list.listed)} listed, ${tokens(list.tokens)}`;
  return [
    { label: "definitions", text: total },
    ...noteIf(definitions.wire_only_tokens > 0, "wire only", wireOnly),
    ...noteIf(instructions.tokens > 0, "instructions", tokens(instructions.tokens)),
    ...noteIf(
      skills !== undefined,
      "skills",
      `${describeList(skills)}, counted in the definitions`,
    ),
    ...lists.flatMap(([label, list]) =>
      noteIf(list.listed > 0, label, `${describeList(list)} if the list is read`),
    ),
  ];
}

function listVerdictNotes(profile: Profile): readonly Note[] {
  const { estimator, tools, verdict } = profile;
  const { unbounded, critical } = verdict;
  const sizedTools = tools.filter(({ worst_case: { is_assumed: isAssumed } }) => !isAssumed).length;
  return [
    { label: "verdict", text: describeVerdict(profile, sizedTools) },
    ...noteIf(unbounded.length > 0, "no limit", describeUnbounded(profile)),
    ...noteIf(critical.length > 0, "critical", listTools(critical)),
    ...listMakerNotes(profile.definitions.counted_by),
    makeEstimatorNote(estimator),
  ];
}

function describeUnbounded({ tools, verdict: { unbounded } }: Profile): string {
  const text = `${pluralize(unbounded.length, "tool")} with no limit declared`;
  const hasGuesses = tools.some((tool) => tool.output_fields === 0 && tool.worst_case.is_assumed);
  if (!hasGuesses) return text;
  return `${text}; without an output schema, each item of an answer is assumed to have ${itemTokensDefault} tokens`;
}

function describeVerdict(
  { tools, verdict: { risk, recorded } }: Profile,
  sizedTools: number,
): string {
  if (tools.length === 0) return "no tools";
  if (risk === null && recorded) {
    const { calls, tools: called, max_tokens: mostTokens } = recorded;
    const answers = `${pluralize(calls, "recorded call")} of ${pluralize(called, "tool")}`;
    return `${recorded.risk}: the largest answer of ${answers} took ~${pluralize(mostTokens, "token")}; no tool declares a size`;
  }
  if (risk === null) return "unknown: no tool declares the size of its answers";
  const unknown = tools.length - sizedTools;
  const known = `${risk} for ${pluralize(sizedTools, "tool")} with a declared size`;
  return unknown === 0 ? known : `${known}, unknown for ${formatCount(unknown)}`;
}

function listTools(names: readonly string[]): readonly Span[] {
  return [`${pluralize(names.length, "tool")}: `, ...listNames(names.map(makeNoteName))];
}

function listSavings({ savings }: ProfileWithSavings, { tokens }: TokenFormat): readonly Note[] {
  return savings.slice(0, savingsShownMax).map(({ percent_total: percent, ...saving }, index) => {
    const amount = `${tokens(saving.tokens)}, ${formatShare(percent / 100)} of the definitions`;
    return {
      label: index === 0 ? "change first" : "then",
      text: [`${saving.text}: saves ${amount} (`, ...listTools(saving.tools), ")"],
    };
  });
}

function listRecommendations({ recommendations }: Profile): readonly Note[] {
  const groups = groupItems(recommendations, ({ severity, text }) => `${severity} ${text}`);
  return groups.map((group) => {
    const [{ severity, text }] = group;
    const tools = listTools(group.map(({ tool }) => tool));
    return { label: severity, text: [`${clip(text, problemColumnsMax)} (`, ...tools, ")"] };
  });
}

const answersShownMax = 20;

export function buildAnswerSections(
  verdicts: readonly LargestAnswersVerdict[],
): readonly Section[] {
  const prices = verdicts.find((verdict) => verdict.prices !== undefined)?.prices;
  return [
    ...verdicts.flatMap((verdict) => [
      {
        kind: "notes" as const,
        notes: [
          { label: "budget", text: describeAnswers(verdict) },
          ...verdict.over
            .slice(0, answersShownMax)
            .map((answer) => makeAnswerNote(answer, verdict)),
        ],
      },
      ...noteOmitted(verdict.over.length, answersShownMax, "tool"),
    ]),
    { kind: "notes", notes: noteIf(prices !== undefined, "priced by", prices ?? "") },
  ];
}

function describeAnswers({ budget, tools, unknown, over }: LargestAnswersVerdict): Text {
  const count = `${over.length} of ${pluralize(tools, "tool")}`;
  const excess =
    over.length === 1
      ? `the largest answer of ${count} exceeds this budget`
      : `the largest answers of ${count} exceed this budget`;
  const unsized = unknown === 0 ? "" : `; for ${pluralize(unknown, "tool")}, the size is unknown`;
  return [{ name: budget }, `: ${excess}${unsized}`];
}

function makeAnswerNote(
  answer: LargestAnswersVerdict["over"][number],
  verdict: LargestAnswersVerdict,
): Note {
  const { tool, tokens, source, cost_usd: dollars } = answer;
  const use = formatUse(dollars ?? tokens ?? 0, verdict);
  return {
    label: "over",
    text: [
      makeNoteName(tool),
      `: ${use}, ${source ?? "for the call alone: the size of its answer is unknown"}`,
    ],
  };
}

type ComparisonContext = {
  readonly title: Text;
  readonly noun: "tool" | "server";
  readonly totalLabel: string;
  readonly estimators: readonly ProfileEstimator[];
  readonly notes?: readonly Note[];
};

export function buildComparisonDocument(
  comparison: ProfileComparison,
  context: ComparisonContext,
): Document {
  const { title, noun, estimators, notes = [] } = context;
  const { tools } = comparison;
  const format = makeTokenFormat(estimators.some((estimator) => estimator.is_estimated));
  const rows = tools.slice(0, summaryRowsMax).map((tool) => formatComparedRow(tool, format));
  return {
    title,
    sections: [
      dropEmptyColumns([{ head: noun }, ...comparisonColumns], rows),
      ...noteOmitted(tools.length, summaryRowsMax, noun),
      {
        kind: "notes",
        notes: [
          ...listTotals(comparison, context, format),
          ...notes,
          ...estimators.map(makeEstimatorNote),
        ],
      },
    ],
  };
}

const comparisonColumns: readonly Column[] = [
  ...["before", "after", "delta"].map((head) => ({ head, isNumber: true })),
  { head: "largest answer" },
];

function formatComparedRow(
  { name, before, after, delta, answer }: ToolChange,
  { count }: TokenFormat,
): Row {
  return [
    { name },
    before === null ? "new" : count(before),
    after === null ? "removed" : count(after),
    delta > 0 ? `+${formatCount(delta)}` : formatCount(delta),
    answer.before === answer.after
      ? ""
      : `${formatSize(answer.before)} → ${formatSize(answer.after)}`,
  ];
}

function formatSize(tokens: number | null): string {
  return tokens === null ? "not declared" : formatCount(tokens);
}

function listTotals(
  comparison: ProfileComparison,
  { noun, totalLabel }: ComparisonContext,
  format: TokenFormat,
): readonly Note[] {
  const { file, total_tokens: total, instructions_tokens: instructions, tools } = comparison;
  const changedOrNew = tools.filter(({ after }) => after !== null).length;
  const unchanged = formatCount(comparison.tools_total.after - changedOrNew);
  return [
    { label: totalLabel, text: describeNumberChange(total, format) },
    ...noteIf(instructions.delta !== 0, "instructions", describeNumberChange(instructions, format)),
    { label: `${noun}s`, text: `${pluralize(tools.length, noun)} changed, ${unchanged} unchanged` },
    { label: "compared with", text: { name: file } },
  ];
}

function describeNumberChange(change: TokenChange, { tokens }: TokenFormat): string {
  const { before, after } = change;
  if (before === after) return `${tokens(after)}, unchanged`;
  return `${tokens(before)} before, ${tokens(after)} after, ${formatTokenChange(change)}`;
}
