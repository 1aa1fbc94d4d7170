import { renderTable } from "../bench/figures.ts";
import { type ComparedAnswer, isClose, type Pair } from "./compare/answers.ts";
import type { ComparedDefinitions } from "./compare/definitions.ts";
import type { ComparedRequests } from "./compare/requests.ts";

export type ComparedRefusal = {
  readonly tool: string;
  readonly form: "tool" | "rpc";
  readonly isVerbatim: boolean;
};

export type Measurement = {
  readonly title: string;
  readonly version: string;
  readonly era: "legacy" | "modern";
  readonly on: string;
  readonly answers: readonly ComparedAnswer[];
  readonly definitions: ComparedDefinitions;
  readonly trimmed: {
    readonly saved: Pair; // tokens of definitions
    readonly shown: readonly string[]; // hidden tools that the client's requests still contain
  };
  readonly noted: { readonly isRead: boolean; readonly saved: Pair }; // tokens of an answer
  readonly requests: ComparedRequests;
  readonly refusals: readonly ComparedRefusal[];
  readonly sessions: { readonly total: number; readonly ended: number };
  readonly leftovers: readonly string[];
};

export function findProblems(measurement: Measurement): readonly string[] {
  const { answers, definitions, trimmed, noted, requests, refusals, leftovers } = measurement;
  const wrong = answers.filter(({ isRight }) => !isRight);
  const pairs = Object.entries(definitions).filter(([, pair]) => !isClose(pair));
  return [
    ...wrong.map((answer) => `${answer.tool}: ${describeAnswer(answer)}`),
    ...pairs.map(
      ([name, pair]) => `${name} definitions: ${pair.read} read, ${pair.counted} counted`,
    ),
    ...(isClose(trimmed.saved) ? [] : [`trimmed definitions: ${describePair(trimmed.saved)}`]),
    ...(!noted.isRead || isClose(noted.saved) ? [] : [`note: ${describePair(noted.saved)}`]),
    ...trimmed.shown.map((tool) => `${tool} is hidden, but the model reads it`),
    ...(requests.difference
      ? [
          `requests: ${requests.same} of ${requests.total} are the same; ${requests.difference.join(" <> ")}`,
        ]
      : []),
    ...refusals
      .filter(({ isVerbatim }) => !isVerbatim)
      .map(({ tool, form }) => `refusal of ${tool} (${form}): not read verbatim`),
    ...leftovers.map((line) => `left running: ${line}`),
  ];
}

function describeAnswer({ read, counted, isCut, isAlerted }: ComparedAnswer): string {
  const tokens = `${read} tokens read, ${counted} counted`;
  if (isCut === isAlerted) return tokens;
  return `${tokens}; ${isCut ? "cut without an alert" : "an alert, and not cut"}`;
}

export function renderMeasurement(measurement: Measurement): string {
  const { title, version, on, era, answers } = measurement;
  const compared = answers.filter(({ isCompared }) => isCompared);
  const wrong = compared.filter(({ isRight }) => !isRight);
  const revision = era === "modern" ? ", revision 2026-07-28" : "";
  return [
    `${title} ${version}${revision}, ${on}: ${compared.length - wrong.length} of ${compared.length} answers agree. ${describeFacts(measurement)}`,
    ...listNotCompared(answers),
    renderDifferences(wrong),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

function listNotCompared(answers: readonly ComparedAnswer[]): readonly string[] {
  const names = answers
    .filter(({ isCompared }) => !isCompared)
    .map(({ tool }) => tool.replaceAll("_", " "));
  return names.length === 0 ? [] : [`Not compared: ${names.join(", ")}.`];
}

function renderDifferences(wrong: readonly ComparedAnswer[]): string {
  const rows = wrong.map(({ tool, read, counted, isCut, isAlerted }) => {
    const alert = isAlerted ? "alert" : "no alert";
    const cut = isCut || isAlerted ? `${isCut ? "yes" : "no"}, ${alert}` : "no";
    return [tool.replaceAll("_", " "), formatNumber(read), formatNumber(counted), cut];
  });
  return renderTable([["answer", "read", "counted", "cut by the client"], ...rows]);
}

function describeFacts(measurement: Measurement): string {
  const { definitions, requests, refusals, sessions, leftovers } = measurement;
  const { resident, loaded } = definitions;
  const whenLoaded = loaded.counted > 0 ? `, ${describePair(loaded)} when loaded` : "";
  const verbatim = refusals.filter(({ isVerbatim }) => isVerbatim).length;
  const exceptions = [
    ["The same without mcp-meter", requests.same, requests.total, "requests"],
    ["Read verbatim", verbatim, refusals.length, "refusals"],
    ["With an `end`", sessions.ended, sessions.total, "logs"],
  ] as const;
  return [
    `Definitions: ${describePair(resident)} from the start${whenLoaded}.`,
    ...exceptions
      .filter(([, count, total]) => count < total)
      .map(([fact, count, total, noun]) => `${fact}: ${count} of ${total} ${noun}.`),
    ...(leftovers.length === 0 ? [] : [`Left running: ${leftovers.length} processes.`]),
  ].join(" ");
}

function describePair({ read, counted }: Pair): string {
  return `${formatNumber(read)} read, ${formatNumber(counted)} counted`;
}

function formatNumber(value: number): string {
  return value.toLocaleString("en");
}

export function replaceMeasurement(document: string, id: string, text: string): string {
  const [begin, end] = [`<!-- compared: ${id} -->`, `<!-- end: ${id} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`Cannot write the result: the document has no "${begin}"`);
  }
  return `${document.slice(0, from)}${begin}\n\n${text}\n\n${document.slice(to)}`;
}

export function renderProblems(measurement: Measurement): string {
  const problems = findProblems(measurement);
  const { trimmed, noted } = measurement;
  return problems.length === 0
    ? `Everything agrees; saved by trimming: ${describePair(trimmed.saved)}; by a note: ${describePair(noted.saved)}`
    : problems.map((problem) => `- ${problem}`).join("\n");
}
