import type { SummedAdvice, WrapTargets } from "#history/reports/advice/advice-fold.ts";
import type { DocumentFormat } from "../formats.ts";
import { render } from "../index.ts";
import {
  joinSpans,
  listSpans,
  makeReportName,
  renderJson,
  type Document,
  type Note,
  type Section,
  type Span,
} from "../document.ts";
import type { TerminalOptions } from "../terminal.ts";
import type { Advice, AdviceKind } from "#history/reports/advice/advice.ts";
import { addUp, formatCount, formatShare, pluralize } from "#kit/text/numbers.ts";
import {
  groupItems,
  joinFirst,
  joinWithCommas,
  listedNamesMax,
  noteIf,
} from "../documents/shared-texts.ts";
import { type AdviceGroup, suggestChange } from "./suggested-changes.ts";
import { adviceRepeatsMax } from "#history/reports/advice/session-usage.ts";

type AdviceReport = SummedAdvice & { readonly period: string };

export function renderAdvice(
  format: DocumentFormat,
  report: AdviceReport,
  options: TerminalOptions,
): string {
  const { period, isEmpty, estimation, context_tokens, advice } = report;
  const block = { estimation, context_tokens, saved_tokens: sumSaved(advice), advice };
  const data = { schema_version: "1.0", period, blocks: isEmpty ? [] : [block] };
  if (format === "json") return renderJson(data);
  const mark = estimation?.is_estimated === false ? "" : "~";
  const document = isEmpty
    ? { title: `mcp-meter: no records for ${period}`, sections: [] }
    : buildAdviceDocument({ ...report, mark });
  return render(format, { document, data }, options);
}

export function sumSaved(advice: readonly Advice[]): number {
  return addUp(advice.map(({ saved_tokens: saved }) => saved));
}

type AdviceBlock = Omit<AdviceReport, "isEmpty" | "estimation"> & { readonly mark: string };

export function buildAdviceDocument(block: AdviceBlock): Document {
  const none: Section = { kind: "line", text: "found nothing to change" };
  return {
    title: `mcp-meter: advice for ${block.period}`,
    sections: [
      block.advice.length === 0 ? none : buildNotes(block),
      { kind: "notes", notes: listFollowedNotes(block) },
    ],
  };
}

/** Notes on advice that the newest sessions or the settings already follow. */
export function listFollowedNotes({
  limitsInPlace,
  configured,
  mark,
}: Pick<AdviceBlock, "limitsInPlace" | "configured" | "mark">): readonly Note[] {
  const limits = limitsInPlace.map(({ limit, effect, ...subject }): readonly Span[] => [
    ...nameSubject(subject),
    ` (${pluralize(limit, "token")})`,
    ...(effect
      ? [
          `, ${mark}${formatCount(effect.limited)} a call, ${mark}${formatCount(effect.unlimited)} without the limit`,
        ]
      : []),
  ]);
  return [
    ...noteIf(limits.length > 0, "followed", [
      "limited in the newest sessions: ",
      ...joinFirst(limits),
    ]),
    ...noteIf(configured.length > 0, "followed", [
      "in the settings, but not in use by a session yet: ",
      ...joinFirst(configured.map(nameSubject)),
    ]),
  ];
}

function buildNotes({
  advice,
  mark,
  context_tokens: contextTokens,
  wrapTargets,
}: AdviceBlock): Section {
  const mentionedAbsences = new Set<string>();
  const notes = groupAdvice(advice).map((group): Note => {
    const { label, text } =
      group.length === 1 ? makeSingleNote(group[0], mark) : makeGroupNote(group, mark);
    const change = suggestChange(group, wrapTargets);
    const absence = joinSpans(change.absent);
    const newAbsence = mentionedAbsences.has(absence) ? [] : change.absent;
    mentionedAbsences.add(absence);
    const fullText = [...listSpans(text), "; ", ...change.text, ...newAbsence];
    return { label, text: fullText, commands: change.commands };
  });
  const saved = sumSaved(advice);
  const share = formatShare(saved / Math.max(1, contextTokens));
  const total = {
    label: `${mark}−${formatCount(saved)}`,
    text: `together, ${share} of all tokens`,
  };
  return { kind: "notes", notes: notes.length > 1 && saved > 0 ? [...notes, total] : notes };
}

export function groupAdvice(advice: readonly Advice[]): readonly AdviceGroup[] {
  const groups = groupItems(advice, ({ kind }) => kind);
  return groups.toSorted((a, b) => measureGroup(b) - measureGroup(a));
}

// A group whose saved tokens are 0 is measured by the tokens that its advice concerns.
function measureGroup(group: AdviceGroup): number {
  const saved = sumSaved(group);
  return saved === 0 ? addUp(group.map(({ tokens }) => tokens)) : saved;
}

/** For the dashboard, which lays out the parts itself. */
export function describeGroup(group: AdviceGroup, mark: string, targets: WrapTargets | undefined) {
  const [first] = group;
  const change = suggestChange(group, targets);
  const sentence =
    group.length === 1
      ? joinSpans(explainAdvice(first, mark))
      : groupSentences[first.kind](formatCount(group.length));
  return {
    label: labelGroup(group, mark),
    sentence,
    change: joinSpans([...change.text, ...change.absent]),
    commands: isAboutUnused(group, targets) ? ["mcp-meter wrap --list"] : change.commands,
  };
}

const unusedKinds: ReadonlySet<AdviceKind> = new Set([
  "unused_server",
  "listed_server",
  "listed_tools",
]);

function isAboutUnused(group: AdviceGroup, targets: WrapTargets | undefined): boolean {
  return group.some(
    ({ kind, server }) => unusedKinds.has(kind) && (!targets || targets.has(server)),
  );
}

export function makeBriefNote(group: AdviceGroup, mark: string): Note {
  return group.length === 1
    ? makeSingleNote(omitNames(group[0]), mark)
    : makeGroupNote(group, mark, briefNamesMax);
}

const briefNamesMax = 3;

function makeSingleNote(advice: Advice, mark: string): Note {
  const explanation = explainAdvice(advice, mark);
  const text = [...nameSubject(advice), ": ", ...explanation, ...describeOverlap(advice, mark)];
  return { label: labelGroup([advice], mark), text };
}

const overlapShareMin = 0.1;

// Other advice that saves more may already save some of `tokens`; `saved` does not count those again.
function describeOverlap(
  { per, tokens, saved_tokens: saved }: Advice,
  mark: string,
): readonly Span[] {
  const overlap = tokens - saved;
  if (per === "session" || saved === 0 || overlap < tokens * overlapShareMin) return [];
  return [` (saves ${mark}${formatCount(tokens)} if nothing else is changed)`];
}

function makeGroupNote(group: AdviceGroup, mark: string, namesMax?: number): Note {
  const sentence = groupSentences[group[0].kind](formatCount(group.length));
  const members = group.map((advice): readonly Span[] => {
    const { saved_tokens: saved } = advice;
    return [...nameSubject(advice), ...(saved > 0 ? [` ${mark}−${formatCount(saved)}`] : [])];
  });
  return {
    label: labelGroup(group, mark),
    text: [sentence, ": ", ...joinFirst(members, namesMax)],
  };
}

function nameSubject({ server, tool }: Pick<Advice, "server" | "tool">): readonly Span[] {
  const serverName = makeReportName(server);
  return tool === null ? [serverName] : [serverName, " · ", makeReportName(tool)];
}

function labelGroup(group: AdviceGroup, mark: string): string {
  const [{ kind }] = group;
  const amount = `${mark}−${formatCount(measureGroup(group))}`;
  if (kind === "listed_server" || kind === "listed_tools") return `${amount} re-sent`;
  return labelsWithoutAmount[kind] ?? amount;
}

function omitNames(advice: Advice): Advice {
  if ("names" in advice) return { ...advice, names: [] };
  return "tools" in advice ? { ...advice, tools: [] } : advice;
}

const labelsWithoutAmount: { readonly [kind in AdviceKind]?: string } = {
  cut_answers: "unread",
  large_agent: "sub-agent",
  repeats_apart: "repeated",
  reordered_lists: "order",
};

const groupSentences: { readonly [kind in AdviceKind]: (count: string) => string } = {
  unused_server: (count) => `${count} servers were started and never called`,
  unused_tools: (count) => `${count} servers have tools that were never called`,
  listed_server: (count) =>
    `${count} servers had only their tool names listed and were never called`,
  listed_tools: (count) => `${count} servers have tools that were listed by name and never called`,
  grown_definitions: (count) => `the definitions of ${count} servers grew`,
  reordered_lists: (count) => `${count} servers listed the same tools in different orders`,
  large_answers: (count) => `${count} tools have large answers`,
  repeated_calls: (count) =>
    `${count} servers each received the same call more than ${adviceRepeatsMax} times in a row`,
  repeats_apart: (count) => `${count} tools were called again with the same arguments`,
  large_agent: (count) => `${count} sub-agents each took at least a quarter of all tokens`,
  duplicate_text: (count) => `the answers of ${count} tools repeat structuredContent`,
  compact_json: (count) => `minified JSON would shorten the answers of ${count} tools`,
  json_structure: (count) => `the answers of ${count} tools are largely JSON keys and punctuation`,
  cut_answers: (count) => `the model read only part of the answers of ${count} tools`,
};

function explainAdvice(advice: Advice, mark: string): readonly Span[] {
  switch (advice.kind) {
    case "large_answers":
      return [
        `${formatShare(advice.share)} of all tokens, `,
        `${formatCount(advice.shortened_calls)} of ${pluralize(advice.calls, "call")} above ${formatCount(advice.limit)} tokens`,
      ];
    case "repeated_calls":
      return [
        `${pluralize(advice.calls, "call")} came directly after ${adviceRepeatsMax} or more identical ones`,
      ];
    case "repeats_apart":
      return [
        `${pluralize(advice.calls, "call")} had the arguments of an earlier one, `,
        `${mark}${formatCount(advice.answer_tokens)} tokens of answers`,
      ];
    case "large_agent":
      return [
        `one sub-agent took ${formatShare(advice.share)} of all tokens with ${pluralize(advice.calls, "call")}; the largest part of these tokens was from this server`,
      ];
    case "duplicate_text":
      return [`${formatShare(advice.share)} of the tokens in its answers repeat structuredContent`];
    case "compact_json":
      return [`minified JSON would save ${formatShare(advice.share)} of its answers`];
    case "json_structure":
      return [`${formatShare(advice.share)} of its answers are JSON keys and punctuation`];
    case "cut_answers":
      return [`the client showed its model only part of ${pluralize(advice.calls, "answer")}`];
    default:
      return explainDefinitions(advice, mark);
  }
}

type AdviceWith<Kind extends AdviceKind> = Extract<Advice, { readonly kind: Kind }>;

type DefinitionsAdvice = AdviceWith<
  | "unused_server"
  | "unused_tools"
  | "listed_server"
  | "listed_tools"
  | "grown_definitions"
  | "reordered_lists"
>;

function explainDefinitions(advice: DefinitionsAdvice, mark: string): readonly Span[] {
  switch (advice.kind) {
    case "unused_server":
      return [
        `started in ${pluralize(advice.sessions, "session")} and never called, `,
        `${mark}${formatCount(advice.tokens)} tokens each`,
      ];
    case "unused_tools":
      return [
        `${pluralize(advice.unused, "tool")} of ${formatCount(advice.listed)} never called`,
        ...listNamesInParentheses(advice.names, advice.unused),
      ];
    case "listed_server":
      return [
        `its tools were listed by name in ${pluralize(advice.requests, "request")} of ${pluralize(advice.sessions, "session")} and never called`,
      ];
    case "listed_tools":
      return [
        `${pluralize(advice.listed, "tool")} listed by name in ${pluralize(advice.requests, "request")}, ${formatCount(advice.unused)} of them never called`,
        ...listNamesInParentheses(advice.names, advice.unused),
      ];
    case "grown_definitions":
      return describeGrowth(advice);
    case "reordered_lists":
      return [
        `the same tools were listed in ${formatCount(advice.orders)} different orders`,
        ...describeRewrites(advice, mark),
      ];
  }
}

function describeRewrites(
  { changes, rewritten_tokens: tokens }: AdviceWith<"reordered_lists">,
  mark: string,
): readonly Span[] {
  if (changes === 0) return [];
  const times = `changed ${pluralize(changes, "time")} between calls`;
  return [
    `, and the order ${times}, so at least ${mark}${pluralize(tokens, "token")} of the prompt were written to the cache again`,
  ];
}

function describeGrowth({
  before_tokens: before,
  after_tokens: after,
  since,
  tools,
}: AdviceWith<"grown_definitions">): readonly Span[] {
  const day = since.slice(0, 10);
  const grew = `definitions grew from ${formatCount(before)} to ${formatCount(after)} since ${day}`;
  const grownTools = tools
    .slice(0, listedNamesMax)
    .map(({ name, before_tokens: old, after_tokens: now }) => [
      ...(old === 0 ? ["new tool "] : []),
      makeReportName(name),
      ` +${formatCount(now - old)}`,
    ]);
  return grownTools.length === 0 ? [grew] : [`${grew} (`, ...joinWithCommas(grownTools), ")"];
}

function listNamesInParentheses(names: readonly string[], total: number): readonly Span[] {
  if (names.length === 0) return [];
  const unnamed = total - names.length;
  return [
    " (",
    ...joinWithCommas(names.map((name) => [makeReportName(name)])),
    ...(unnamed > 0 ? [` and ${formatCount(unnamed)} more`] : []),
    ")",
  ];
}
