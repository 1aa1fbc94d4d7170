import { renderTable } from "../bench/table.ts";
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
  readonly requests: ComparedRequests;
  readonly refusals: readonly ComparedRefusal[];
  readonly sessions: { readonly total: number; readonly ended: number };
  readonly leftovers: readonly string[];
};

export function findProblems(measurement: Measurement): readonly string[] {
  const { answers, definitions, requests, refusals, leftovers } = measurement;
  const wrong = answers.filter(({ isRight }) => !isRight);
  const pairs = Object.entries(definitions).filter(([, pair]) => !isClose(pair));
  return [
    ...wrong.map((answer) => `${answer.tool}: ${describeAnswer(answer)}`),
    ...pairs.map(
      ([name, pair]) => `${name} definitions: ${pair.read} read, ${pair.counted} counted`,
    ),
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
  const { title, version, on, era, answers, definitions } = measurement;
  const compared = answers.filter(({ isCompared }) => isCompared);
  const right = compared.filter(({ isRight }) => isRight).length;
  const revision = era === "modern" ? ", revision 2026-07-28" : "";
  const rows = [
    ...compared.filter(({ isRight }) => !isRight).map(answerRow),
    pairRow("definitions and instructions, from the start", definitions.resident),
    ...(definitions.loaded.counted > 0 ? [pairRow("definitions, loaded", definitions.loaded)] : []),
  ];
  return [
    `${title} ${version}${revision}, ${on}: ${right} of ${compared.length} answers agree. ${factsOf(measurement)}`,
    ...listed("Not compared", answers, ({ isCompared }) => !isCompared),
    ...cutSentence(answers),
    renderTable([["answer", "read", "counted", "difference", ...cutHeading(rows)], ...rows]),
  ].join("\n\n");
}

function listed(
  label: string,
  answers: readonly ComparedAnswer[],
  isListed: (answer: ComparedAnswer) => boolean,
): readonly string[] {
  const names = answers.filter(isListed).map(({ tool }) => tool.replaceAll("_", " "));
  return names.length === 0 ? [] : [`${label}: ${names.join(", ")}.`];
}

function cutHeading(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.some(([, , , , cut = ""]) => cut !== "") ? ["cut by the client"] : [];
}

function cutSentence(answers: readonly ComparedAnswer[]): readonly string[] {
  const cut = answers.filter(({ isCut, isAlerted }) => isCut && isAlerted).length;
  return cut === 0 ? [] : [`${cut} answers were cut or saved by the client, each with an alert.`];
}

function factsOf({ requests, refusals, sessions, leftovers }: Measurement): string {
  const verbatim = refusals.filter(({ isVerbatim }) => isVerbatim).length;
  return [
    `${requests.same} of ${requests.total} requests are the same without mcp-meter.`,
    `${verbatim} of ${refusals.length} refusals were read verbatim.`,
    `${sessions.ended} of ${sessions.total} logs have an \`end\` record; processes left: ${leftovers.length}.`,
  ].join(" ");
}

function answerRow({ tool, isCut, isAlerted, ...pair }: ComparedAnswer): string[] {
  const alert = isAlerted ? "alert" : "no alert";
  const cut = isCut || isAlerted ? `${isCut ? "yes" : "no"}, ${alert}` : "";
  return [...pairRow(tool.replaceAll("_", " "), pair), cut];
}

function pairRow(name: string, { read, counted }: Pair): string[] {
  const difference = counted - read;
  return [name, number(read), number(counted), `${difference > 0 ? "+" : ""}${number(difference)}`];
}

function number(of: number): string {
  return of.toLocaleString("en");
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
  return problems.length === 0 ? "Everything agrees" : problems.map((one) => `- ${one}`).join("\n");
}
