import { renderTable } from "../bench/table.ts";
import type { ComparedAnswer } from "./compare/answers.ts";
import type { Pair } from "./compare/tolerance.ts";
import { findProblems, type Measurement } from "./measurement.ts";

/** The result with one client as Markdown. */
export function renderMeasurement(measurement: Measurement): string {
  const { title, version, on, answers, definitions } = measurement;
  const right = answers.filter(({ isRight }) => isRight).length;
  const rows = [
    ...answers.map(answerRow),
    pairRow("definitions and instructions, from the start", definitions.resident),
    ...(definitions.loaded.counted > 0 ? [pairRow("definitions, loaded", definitions.loaded)] : []),
  ];
  return [
    `${title} ${version}, ${on}: ${right} of ${answers.length} answers agree. ${factsOf(measurement)}`,
    renderTable([["answer", "read", "counted", "difference", "cut by the client"], ...rows]),
  ].join("\n\n");
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

/** The document with the result of one client replaced. Throws when it does not have a section for it. */
export function replaceMeasurement(document: string, id: string, text: string): string {
  const [begin, end] = [`<!-- compared: ${id} -->`, `<!-- end: ${id} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`Cannot write the result: the document has no "${begin}"`);
  }
  return `${document.slice(0, from)}${begin}\n\n${text}\n\n${document.slice(to)}`;
}

/** The problems as a list, or one sentence. */
export function renderProblems(measurement: Measurement): string {
  const problems = findProblems(measurement);
  return problems.length === 0 ? "Everything agrees" : problems.map((one) => `- ${one}`).join("\n");
}
