import { nameCharactersMax } from "#kit/limits.ts";
import type { CallRecord, Outcome } from "#records/record.ts";
import { displayWidth, cellWidthMax } from "#kit/text/unsafe-text.ts";
import { formatDuration } from "#kit/text/numbers.ts";
import type { Tone } from "./document.ts";
import { tokenFormat } from "./documents/parts.ts";
import { painted, terminalText } from "./terminal.ts";

const callNameColumnsMin = 8;

type ShownCall = {
  readonly call: CallRecord;
  readonly context: { readonly tokens: number; readonly share: number | undefined };
};

export type LinePaper = {
  readonly color: boolean;
  /** Undefined without a terminal: names are not cut. */
  readonly columns: number | undefined;
  readonly local: (ts: string) => readonly [day: string, time: string];
  readonly today: string;
};

const tones: { readonly [outcome in Outcome]: Tone | undefined } = {
  ok: undefined,
  tool_error: "bad",
  rpc_error: "bad",
  cancelled: "caution",
  refused: "caution",
  abandoned: "caution",
};

/** Shares of the window from which the context is worth attention. */
const [cautionShare, badShare] = [0.5, 0.8];

const fixedColumns = { time: 8, tokens: 15, duration: 7, outcome: 10, context: 8 } as const;

export function callLine({ call, context }: ShownCall, paper: LinePaper): string {
  const { count, range } = tokenFormat(call.is_estimated);
  const { input_tokens: input, output_tokens: output, most_tokens: most = 0 } = call;
  const [day, time] = paper.local(call.ts);
  const [serverColumns, toolColumns] = nameColumns(paper.columns);
  const cells = [
    day === paper.today ? time : `${day} ${time}`,
    nameCell(call.server, serverColumns, paper),
    nameCell(call.tool ?? call.method, toolColumns, paper),
    `${count(input)} → ${range(output, most - input)}`.padStart(fixedColumns.tokens),
    formatDuration(call.duration_ms).padStart(fixedColumns.duration),
    paintedCell(call.outcome, fixedColumns.outcome, paper.color ? tones[call.outcome] : undefined),
    painted(
      count(context.tokens).padStart(fixedColumns.context),
      paper.color ? shareTone(context.share) : undefined,
    ),
  ];
  return `${cells.join("  ").trimEnd()}\n`;
}

export function callLineHeads(paper: Pick<LinePaper, "columns">): string {
  const [serverColumns, toolColumns] = nameColumns(paper.columns);
  const heads = [
    "time".padEnd(fixedColumns.time),
    "server".padEnd(serverColumns),
    "tool".padEnd(toolColumns),
    "tokens".padStart(fixedColumns.tokens),
    "took".padStart(fixedColumns.duration),
    "outcome".padEnd(fixedColumns.outcome),
    "context".padStart(fixedColumns.context),
  ];
  return `${heads.join("  ")}\n`;
}

function nameColumns(columns: number | undefined): readonly [server: number, tool: number] {
  const gaps = 2 * 6;
  const others = Object.values(fixedColumns).reduce((sum, width) => sum + width, gaps);
  const left = columns === undefined ? cellWidthMax * 1.5 : columns - others;
  const tool = Math.ceil((left * 3) / 5);
  return [
    clamped(left - tool, callNameColumnsMin, cellWidthMax / 2),
    clamped(tool, callNameColumnsMin, cellWidthMax),
  ];
}

function clamped(columns: number, min: number, max: number): number {
  return Math.floor(Math.max(min, Math.min(columns, max)));
}

function nameCell(name: string, columns: number, paper: Pick<LinePaper, "columns">): string {
  const columnsMax = paper.columns === undefined ? nameCharactersMax : columns;
  const text = terminalText({ name, columnsMax });
  return `${text}${" ".repeat(Math.max(0, columns - displayWidth(text)))}`;
}

function paintedCell(text: string, columns: number, tone: Tone | undefined): string {
  return `${painted(text, tone)}${" ".repeat(Math.max(0, columns - text.length))}`;
}

function shareTone(share: number | undefined): Tone | undefined {
  if (share === undefined || share < cautionShare) return undefined;
  return share < badShare ? "caution" : "bad";
}
