import { problemColumnsMax, recommendationsMax, summaryRowsMax } from "#limits.ts";
import { baseTokensDefault } from "#lock/item-size.ts";
import type { Profile } from "#lock/profile.ts";
import type { ProfiledTool, WorstCase } from "#lock/profiled-tool.ts";
import { clip } from "#text/display.ts";
import { formatCount, formatShare, plural } from "#text/numbers.ts";
import { countedBy } from "./confidence.ts";
import type { Column, Document, Note, Row, Section } from "../document.ts";
import { omittedLine, riskCell, serverTitle, toolList } from "./parts.ts";
import { tokenFormat, windowShare, type TokenFormat } from "./token-format.ts";

/** The cost of a server before any call, tool by tool, and recommendations for its author. */
export function profileDocument(profile: Profile): Document {
  const format = tokenFormat(profile.estimator.is_estimated);
  const recommendations = recommendationNotes(profile);
  return {
    title: serverTitle(profile.server),
    sections: [
      toolGrid(profile, format),
      { kind: "notes", notes: [...costNotes(profile, format), ...verdictNotes(profile)] },
      { kind: "notes", notes: recommendations.slice(0, recommendationsMax) },
      ...omittedLine(recommendations.length, recommendationsMax, "recommendation"),
    ],
  };
}

const numbers = ["tokens", "name", "descr", "schema", "share", "window", "fields", "answer"];

const columns: readonly Column[] = [
  { head: "tool" },
  ...numbers.map((head) => ({ head, isNumber: true })),
  { head: "risk" },
];

function toolGrid({ tools }: Profile, format: TokenFormat): Section {
  const sorted = tools.toSorted((one, other) => other.tokens - one.tokens);
  const rows = sorted.slice(0, summaryRowsMax).map((tool) => toolRow(tool, format));
  const rest = sorted.slice(summaryRowsMax);
  return {
    kind: "grid",
    columns,
    rows: rest.length > 0 ? [...rows, restRow(rest, format)] : rows,
  };
}

function toolRow(tool: ProfiledTool, { count }: TokenFormat): Row {
  return [
    { name: tool.name },
    count(tool.tokens),
    count(tool.name_tokens),
    count(tool.description_tokens),
    count(tool.schema_tokens),
    formatShare(tool.percent_total / 100),
    formatShare(tool.percent_window / 100),
    `${tool.input_fields}/${tool.output_fields}`,
    answerCell(tool.worst_case),
    tool.risk === null ? missingLimit(tool.worst_case) : riskCell(tool.risk),
  ];
}

/** The largest answer, or where that is not declared the tokens of one item. */
function answerCell({
  tokens,
  is_assumed: isAssumed,
  base_tokens: item,
  items,
}: WorstCase): string {
  if (!isAssumed) return formatCount(tokens);
  const each = `~${formatCount(item ?? tokens)}/item`;
  return items === null ? each : `${formatCount(items)} × ${each}`;
}

function missingLimit({ basis }: WorstCase): string {
  return basis === "unbounded" ? "no limit declared" : "no size declared";
}

function restRow(tools: readonly ProfiledTool[], { count }: TokenFormat): Row {
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const empty = Array<string>(columns.length - 2).fill("");
  return [plural(tools.length, "more tool"), count(tokens), ...empty];
}

function costNotes(profile: Profile, { tokens }: TokenFormat): readonly Note[] {
  const { definitions, instructions, window } = profile;
  const share = windowShare(definitions.percent_window / 100, window);
  const total = `${plural(definitions.tools, "tool")}, ${tokens(definitions.total_tokens)}, ${share}`;
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
  const assumption = `${plural(unbounded.length, "tool")} with no limit declared; ${itemAssumption}`;
  return [
    { label: "verdict", text: verdictText(profile, tools.length - assumed.length) },
    ...(unbounded.length > 0 ? [{ label: "no limit", text: assumption }] : []),
    ...(critical.length > 0 ? [{ label: "critical", text: toolList(critical) }] : []),
    countedBy(estimator, estimator.is_estimated),
  ];
}

const itemAssumption = `an item without an output schema is assumed to have ${baseTokensDefault} tokens`;

function verdictText({ tools, verdict: { risk } }: Profile, sized: number): string {
  if (tools.length === 0) return "no tools";
  if (risk === null) return "not known: no tool declares the size of its answers";
  return `${risk}, the highest risk of the ${plural(sized, "tool")} with a declared size`;
}

/** One note for all tools that get the same recommendation. */
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
