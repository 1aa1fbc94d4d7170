import type { SummedAdvice } from "#history/reports/advice/advice-fold.ts";
import type { DocumentFormat } from "../formats.ts";
import { render } from "../index.ts";
import { renderJson, type Document, type Note, type Section, type Span } from "../document.ts";
import type { TerminalOptions } from "../terminal.ts";
import type { Advice, AdviceKind } from "#history/reports/advice/make-advice.ts";
import { adviceRepeatsMax } from "#kit/limits.ts";
import { formatCount, formatShare, pluralize } from "#kit/text/numbers.ts";
import { quoteShellWord } from "#kit/text/shell-word.ts";
import { joinWithCommas, toolsNamedMax } from "../documents/parts.ts";

type AdviceReport = SummedAdvice & { readonly period: string };

export function renderAdvice(
  format: DocumentFormat,
  { period, isEmpty, estimation, advice }: AdviceReport,
  options: TerminalOptions,
): string {
  const blocks = isEmpty ? [] : [{ estimation, advice }];
  const data = { schema_version: "1.0", period, blocks };
  if (format === "json") return renderJson(data);
  const mark = estimation?.is_estimated === false ? "" : "~";
  const document = isEmpty
    ? { title: `mcp-meter: no records for ${period}`, sections: [] }
    : buildAdviceDocument({ period, mark, advice });
  return render(format, { document, data }, options);
}

type AdviceBlock = {
  readonly period: string;
  readonly mark: string;
  readonly advice: readonly Advice[];
};

export function buildAdviceDocument({ period, mark, advice }: AdviceBlock): Document {
  const none: Section = { kind: "line", text: "found nothing to change" };
  const sections = advice.length === 0 ? [none] : [buildNotes(advice, mark)];
  return { title: `mcp-meter: advice for ${period}`, sections };
}

function buildNotes(advice: readonly Advice[], mark: string): Section {
  return { kind: "notes", notes: advice.map((entry) => makeNote(entry, mark)) };
}

function makeNote(advice: Advice, mark: string): Note {
  const { reason, change } = describeAdvice(advice, mark);
  const { label, text } = makeBriefNote(advice, mark, reason);
  return { label, text: [text, "; ", ...change].flat() };
}

export function describeAdvice(advice: Advice, mark: string) {
  return {
    label: labelAdvice(advice, mark),
    reason: explainAdvice(advice, mark),
    change: suggestChange(advice),
    command: suggestCommand(advice),
  };
}

/** Without the names of tools and the suggested change. */
export function makeBriefNote(
  advice: Advice,
  mark: string,
  explained = explainAdvice(withoutNames(advice), mark),
): Note {
  const { server, tool } = advice;
  const subject: readonly Span[] =
    tool === null ? [{ name: server }] : [{ name: server }, " · ", { name: tool }];
  return { label: labelAdvice(advice, mark), text: [...subject, ": ", ...explained] };
}

function labelAdvice({ kind, tokens, per }: Advice, mark: string): string {
  const amount = `−${mark}${formatCount(tokens)}${per === "session" ? " per session" : ""}`;
  return labelsWithoutAmount[kind] ?? amount;
}

function withoutNames(advice: Advice): Advice {
  if ("names" in advice) return { ...advice, names: [] };
  return "tools" in advice ? { ...advice, tools: [] } : advice;
}

const labelsWithoutAmount: { readonly [kind in AdviceKind]?: string } = {
  cut_answers: "unread",
  repeats_apart: "repeated",
  reordered_lists: "order",
};

function explainAdvice(advice: Advice, mark: string): readonly Span[] {
  if (isAboutDefinitions(advice)) return explainDefinitions(advice);
  switch (advice.kind) {
    case "large_answers":
      return [
        `${formatShare(advice.share)} of all tokens, `,
        `${formatCount(advice.shortened_calls)} of ${pluralize(advice.calls, "call")} above ${formatCount(advice.limit)} tokens`,
      ];
    case "repeated_calls":
      return [
        `${pluralize(advice.calls, "call")} came after ${adviceRepeatsMax} or more identical calls in a row`,
      ];
    case "repeats_apart":
      return [
        `${pluralize(advice.calls, "call")} repeated an earlier call of the session, `,
        `${mark}${formatCount(advice.answer_tokens)} tokens of answers`,
      ];
    case "duplicate_text":
      return [`${formatShare(advice.share)} of its answers repeat structuredContent`];
    case "compact_json":
      return [`minified JSON would save ${formatShare(advice.share)} of its answers`];
    case "json_structure":
      return [`${formatShare(advice.share)} of its answers are JSON keys and punctuation`];
    case "cut_answers":
      return [`the client cut or saved ${pluralize(advice.calls, "answer")}`];
  }
}

type AdviceWith<Kind extends AdviceKind> = Extract<Advice, { readonly kind: Kind }>;

const definitionKinds = [
  "unused_server",
  "unused_tools",
  "listed_server",
  "listed_tools",
  "grown_definitions",
  "reordered_lists",
] as const;

type DefinitionsAdvice = AdviceWith<(typeof definitionKinds)[number]>;

function isAboutDefinitions(advice: Advice): advice is DefinitionsAdvice {
  return definitionKinds.some((kind) => kind === advice.kind);
}

function explainDefinitions(advice: DefinitionsAdvice): readonly Span[] {
  switch (advice.kind) {
    case "unused_server":
      return [`started in ${pluralize(advice.sessions, "session")} and never called`];
    case "unused_tools":
      return [
        `${pluralize(advice.unused, "tool")} of ${formatCount(advice.listed)} never called`,
        ...listNames(advice.names, advice.unused),
      ];
    case "listed_server":
      return [
        `listed by tool name in ${pluralize(advice.sessions, "session")}, ${pluralize(advice.requests, "request")}, and never called`,
      ];
    case "listed_tools":
      return [
        `${pluralize(advice.unused, "tool")} of ${formatCount(advice.listed)} listed by name in ${pluralize(advice.requests, "request")} and never called`,
        ...listNames(advice.names, advice.unused),
      ];
    case "grown_definitions":
      return describeGrowth(advice);
    case "reordered_lists":
      return [`the same tools were listed in ${formatCount(advice.orders)} different orders`];
  }
}

function describeGrowth({
  before_tokens: before,
  after_tokens: after,
  since,
  tools,
}: AdviceWith<"grown_definitions">): readonly Span[] {
  const day = since.slice(0, "2026-11-22".length);
  const grew = `definitions grew from ${formatCount(before)} to ${formatCount(after)} since ${day}`;
  const grownTools = tools
    .slice(0, toolsNamedMax)
    .map(({ name, before_tokens: old, after_tokens: now }) => [
      { name },
      old === 0 ? ` new, ${formatCount(now)}` : ` +${formatCount(now - old)}`,
    ]);
  return grownTools.length === 0 ? [grew] : [`${grew} (`, ...joinWithCommas(grownTools), ")"];
}

function listNames(names: readonly string[], total: number): readonly Span[] {
  if (names.length === 0) return [];
  const unnamed = total - names.length;
  return [
    " (",
    ...joinWithCommas(names.map((name) => [{ name }])),
    ...(unnamed > 0 ? [` and ${formatCount(unnamed)} more`] : []),
    ")",
  ];
}

const changes: {
  readonly [kind in Exclude<AdviceKind, "large_answers" | "cut_answers">]: string;
} = {
  unused_server: "remove it from the client's settings",
  unused_tools: "turn them off in the client, or with an option of the server",
  listed_server: "remove it from the client's settings",
  listed_tools: "turn them off in the client, or with an option of the server",
  grown_definitions: "compare them with a lock: mcp-meter lock --check -- COMMAND",
  reordered_lists:
    "as its author, sort them: providers cache a prompt only up to its first difference",
  repeated_calls: `--max-repeats ${adviceRepeatsMax} refuses these`,
  repeats_apart: "too few in a row for --max-repeats",
  duplicate_text: "as its author, put a short text next to structuredContent",
  compact_json: "as its author, write JSON without spaces",
  json_structure: "as its author, return rows under one header row, or fewer fields",
};

function suggestChange(advice: Advice): readonly Span[] {
  if (advice.kind === "cut_answers") {
    const asking = suggestParameters(advice.parameters);
    return asking === undefined
      ? ["the model read only part of it, and no parameter of the tool limits the answer"]
      : [asking, ": the model read only part of it"];
  }
  if (advice.kind !== "large_answers") return [changes[advice.kind]];
  const asking = suggestParameters(advice.parameters);
  const line = suggestBudget(advice);
  const limit = line === undefined ? "limit it with a budget" : `limit it: ${line}`;
  return asking === undefined
    ? [`no parameter of the tool limits the answer, so ${limit}`]
    : [`${asking}, or ${limit}`];
}

const listCommand = "mcp-meter wrap --list";

const commands: { readonly [kind in AdviceKind]?: string } = {
  unused_server: listCommand,
  unused_tools: listCommand,
  listed_server: listCommand,
  listed_tools: listCommand,
  grown_definitions: "mcp-meter lock --check -- COMMAND",
};

function suggestCommand(advice: Advice): string | undefined {
  if (advice.kind === "repeated_calls")
    return rewrap(advice.server, `--max-repeats ${adviceRepeatsMax}`);
  if (advice.kind !== "large_answers") return commands[advice.kind];
  const budget = suggestBudget(advice);
  return budget === undefined ? undefined : rewrap(advice.server, budget);
}

// `wrap` leaves a server alone that is wrapped with other options.
function rewrap(server: string, options: string): string {
  const name = quoteShellWord(server);
  return `mcp-meter unwrap ${name} && mcp-meter wrap ${name} -- ${options}`;
}

function suggestParameters(parameters: readonly string[] | undefined): string | undefined {
  if (parameters === undefined) return "ask for less with a parameter of the tool";
  return parameters.length === 0 ? undefined : `ask for less with ${parameters.join(", ")}`;
}

function suggestBudget({ tool, limit }: AdviceWith<"large_answers">): string | undefined {
  if (tool === null || !/^\w[\w./-]{0,63}$/.test(tool)) return undefined;
  // `all` means every tool, so a tool with that name is written as a pattern.
  const name = tool === "all" ? "al?" : tool;
  return `--budget '${name}=${limit / 1000}k:truncate'`;
}
