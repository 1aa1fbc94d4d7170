import { problemColumnsMax } from "#kit/limits.ts";
import { summaryRowsMax } from "../../limits.ts";
import { sentences } from "#kit/errors.ts";
import { baseTokensDefault } from "#lock/item-size.ts";
import type { Profile, ProfileComparison, TokenChange, ToolChange } from "#lock/profile.ts";
import type { ProfiledTool, WorstCase } from "#lock/recommendations.ts";
import type { PricedProfile } from "#lock/savings/find-savings.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import { formatCount, formatShare, plural } from "#kit/text/numbers.ts";
import { countedBy, makerNotes } from "./cost-notes.ts";
import type { Column, Document, Note, Row, Section } from "../document.ts";
import {
  omittedLine,
  riskCell,
  serverTitle,
  toolList,
  tokenFormat,
  windowShare,
  type TokenFormat,
} from "./parts.ts";

const savingsShownMax = 3;

const recommendationsMax = 20;

export function profileDocument(profile: PricedProfile): Document {
  const format = tokenFormat(profile.estimator.is_estimated);
  const recommendations = recommendationNotes(profile);
  return {
    title: serverTitle(profile.server),
    sections: [
      toolGrid(profile, format),
      {
        kind: "notes",
        notes: [...listNotes(profile), ...costNotes(profile, format), ...verdictNotes(profile)],
      },
      { kind: "notes", notes: savingNotes(profile, format) },
      { kind: "notes", notes: recommendations.slice(0, recommendationsMax) },
      ...omittedLine(recommendations.length, recommendationsMax, "recommendation"),
    ],
  };
}

function listNotes({ definitions: { not_tools: entries = 0 } }: PricedProfile): readonly Note[] {
  return entries === 0 ? [] : [{ label: "warning", text: sentences.notTools(entries) }];
}

const numbers = "tokens name descr schema share window fields answer recorded".split(" ");

const columns: readonly Column[] = [
  { head: "tool" },
  ...numbers.map((head) => ({ head, isNumber: true })),
  { head: "risk" },
];

function toolGrid({ tools, definitions }: Profile, format: TokenFormat): Section {
  const formats = { parts: format, whole: definitionFormat(definitions, format) };
  const sorted = tools.toSorted((one, other) => other.tokens - one.tokens);
  const rows = sorted.slice(0, summaryRowsMax).map((tool) => toolRow(tool, formats));
  const rest = sorted.slice(summaryRowsMax);
  const all = rest.length > 0 ? [...rows, restRow(rest, formats.whole)] : rows;
  return withoutEmptyColumns(columns, all);
}

function withoutEmptyColumns(heads: readonly Column[], rows: readonly Row[]): Section {
  const isUsed = heads.map((_, at) => rows.length === 0 || rows.some((row) => row[at] !== ""));
  return {
    kind: "grid",
    columns: heads.filter((_, at) => isUsed[at]),
    rows: rows.map((row) => row.filter((_, at) => isUsed[at])),
  };
}

/** A maker may have counted whole definitions; their parts are always estimated. */
function definitionFormat({ counted_by: source }: Profile["definitions"], format: TokenFormat) {
  return source ? tokenFormat(false) : format;
}

function toolRow(
  tool: ProfiledTool,
  { parts: { count }, whole }: { readonly parts: TokenFormat; readonly whole: TokenFormat },
): Row {
  return [
    { name: tool.name },
    whole.count(tool.tokens),
    count(tool.name_tokens),
    count(tool.description_tokens),
    count(tool.schema_tokens),
    formatShare(tool.percent_total / 100),
    formatShare(tool.percent_window / 100),
    `${tool.input_fields}/${tool.output_fields}`,
    answerCell(tool),
    recordedCell(tool),
    tool.risk === null ? missingLimit(tool.worst_case) : riskCell(tool.risk),
  ];
}

/** The declared size, else the number of items and the tokens of one by the output schema. Without a schema the size of an item is not shown. */
function answerCell({ worst_case: worst, output_fields: fields }: ProfiledTool): string {
  const { tokens, is_assumed: isAssumed, base_tokens: item, items } = worst;
  if (!isAssumed) return formatCount(tokens);
  const each = fields > 0 && item !== null ? `~${formatCount(item)}/item` : "";
  if (items === null) return each;
  return each === "" ? plural(items, "item") : `${formatCount(items)} × ${each}`;
}

function recordedCell({ recorded }: ProfiledTool): string {
  if (!recorded) return "";
  const { average_tokens: average, max_tokens: most } = recorded;
  return `~${formatCount(average)}, max ~${formatCount(most)}`;
}

function missingLimit({ basis }: WorstCase): string {
  return basis === "unbounded" ? "no limit declared" : "no size declared";
}

function restRow(tools: readonly ProfiledTool[], { count }: TokenFormat): Row {
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const empty = Array<string>(columns.length - 2).fill("");
  return [plural(tools.length, "more tool"), count(tokens), ...empty];
}

function costNotes(profile: Profile, format: TokenFormat): readonly Note[] {
  const { definitions, instructions, window } = profile;
  const { tokens } = format;
  const { tokens: exactly } = definitionFormat(definitions, format);
  const share = windowShare(definitions.percent_window / 100, window);
  const total = `${plural(definitions.tools, "tool")}, ${exactly(definitions.total_tokens)}, ${share}`;
  const lists = [
    ["prompts", profile.prompts],
    ["resources", profile.resources],
    ["templates", profile.resource_templates],
  ] as const;
  const wireOnly = `${tokens(definitions.wire_only_tokens)} that the model never reads`;
  return [
    { label: "definitions", text: total },
    ...(definitions.wire_only_tokens > 0 ? [{ label: "wire only", text: wireOnly }] : []),
    ...(instructions.tokens > 0
      ? [{ label: "instructions", text: tokens(instructions.tokens) }]
      : []),
    ...(profile.skills
      ? [
          {
            label: "skills",
            text: `${formatCount(profile.skills.listed)} listed, ${tokens(profile.skills.tokens)} of the definitions`,
          },
        ]
      : []),
    ...lists
      .filter(([, { listed }]) => listed > 0)
      .map(([label, list]) => ({
        label,
        text: `${formatCount(list.listed)} listed, ${tokens(list.tokens)} if read`,
      })),
  ];
}

function verdictNotes(profile: Profile): readonly Note[] {
  const { estimator, tools, verdict } = profile;
  const { unbounded, critical } = verdict;
  const assumed = tools.filter(({ worst_case: { is_assumed: isAssumed } }) => isAssumed);
  return [
    { label: "verdict", text: verdictText(profile, tools.length - assumed.length) },
    ...(unbounded.length > 0 ? [{ label: "no limit", text: unboundedText(profile) }] : []),
    ...(critical.length > 0 ? [{ label: "critical", text: toolList(critical) }] : []),
    ...makerNotes(profile.definitions.counted_by),
    countedBy(estimator, estimator.is_estimated),
  ];
}

/** The only place of the assumption: it enters no cell, no risk and no verdict. */
function unboundedText({ tools, verdict: { unbounded } }: Profile): string {
  const text = `${plural(unbounded.length, "tool")} with no limit declared`;
  const isAssumed = tools.some(({ output_fields: fields }) => fields === 0);
  if (!isAssumed) return text;
  return `${text}; an item without an output schema is assumed to have ${baseTokensDefault} tokens`;
}

function verdictText({ tools, verdict: { risk, recorded } }: Profile, sized: number): string {
  if (tools.length === 0) return "no tools";
  if (risk === null && recorded) {
    const { calls, tools: called, max_tokens: most } = recorded;
    const answers = `${plural(calls, "recorded call")} of ${plural(called, "tool")}`;
    return `${recorded.risk}: the largest answer of ${answers} took ~${plural(most, "token")}; no tool declares a size`;
  }
  if (risk === null) return "not known: no tool declares the size of its answers";
  const unknown = tools.length - sized;
  const known = `${risk} for ${plural(sized, "tool")} with a declared size`;
  return unknown === 0 ? known : `${known}, not known for ${formatCount(unknown)}`;
}

function savingNotes({ savings }: PricedProfile, { tokens }: TokenFormat): readonly Note[] {
  return savings.slice(0, savingsShownMax).map((saving, at) => {
    const share = formatShare(saving.percent_total / 100);
    const gain = `${saving.text}: saves ${tokens(saving.tokens)}, ${share} of the definitions (`;
    return {
      label: at === 0 ? "change first" : "then",
      text: [gain, ...toolList(saving.tools), ")"],
    };
  });
}

function recommendationNotes({ recommendations }: Profile): readonly Note[] {
  const groups = Map.groupBy(recommendations, ({ severity, text }) => `${severity} ${text}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const tools = toolList(group.map(({ tool }) => tool));
    const text = clip(first.text, problemColumnsMax);
    return [{ label: first.severity, text: [`${text} (`, ...tools, ")"] }];
  });
}

export function profileComparisonDocument(
  { server, estimator }: Pick<PricedProfile, "server" | "estimator">,
  comparison: ProfileComparison,
): Document {
  const format = tokenFormat(estimator.is_estimated);
  const { tools } = comparison;
  return {
    title: serverTitle(server),
    sections: [
      {
        kind: "grid",
        columns: comparedColumns,
        rows: tools.slice(0, summaryRowsMax).map((tool) => comparedRow(tool, format)),
      },
      ...omittedLine(tools.length, summaryRowsMax, "tool"),
      {
        kind: "notes",
        notes: [...totalNotes(comparison, format), countedBy(estimator, estimator.is_estimated)],
      },
    ],
  };
}

const comparedColumns: readonly Column[] = [
  { head: "tool" },
  ...["before", "after", "delta"].map((head) => ({ head, isNumber: true })),
  { head: "largest answer" },
];

function comparedRow(
  { name, before, after, delta, answer }: ToolChange,
  { count }: TokenFormat,
): Row {
  return [
    { name },
    before === null ? "new" : count(before),
    after === null ? "removed" : count(after),
    signed(delta),
    answer.before === answer.after ? "" : `${size(answer.before)} → ${size(answer.after)}`,
  ];
}

function size(tokens: number | null): string {
  return tokens === null ? "not declared" : formatCount(tokens);
}

function signed(delta: number): string {
  return delta > 0 ? `+${formatCount(delta)}` : formatCount(delta);
}

function totalNotes(comparison: ProfileComparison, format: TokenFormat): readonly Note[] {
  const { file, total_tokens: total, instructions_tokens: instructions, tools } = comparison;
  const still = tools.filter(({ after }) => after !== null).length;
  const unchanged = formatCount(comparison.tools_total.after - still);
  return [
    { label: "definitions", text: changeText(total, format) },
    ...(instructions.delta === 0
      ? []
      : [{ label: "instructions", text: changeText(instructions, format) }]),
    { label: "tools", text: `${plural(tools.length, "tool")} changed, ${unchanged} unchanged` },
    { label: "compared with", text: { name: file } },
  ];
}

function changeText({ before, after, delta }: TokenChange, { tokens }: TokenFormat): string {
  if (delta === 0) return `${tokens(after)}, unchanged`;
  const share = before === 0 ? "" : ` (${delta > 0 ? "+" : ""}${formatShare(delta / before)})`;
  return `${tokens(before)} before, ${tokens(after)} after, ${signed(delta)}${share}`;
}
