import { nameCharactersMax } from "#kit/limits.ts";
import type { CallRecord, Outcome } from "#records/record.ts";
import { displayWidth, cellWidthMax } from "#kit/text/unsafe-text.ts";
import { addUp } from "#kit/text/numbers.ts";
import { formatInSeconds } from "#kit/text/durations.ts";
import type { Tone } from "./document.ts";
import { makeTokenFormat } from "./token-ranges.ts";
import { paintText, escapeForTerminal } from "./terminal.ts";

const callNameColumnsMin = 6;

type ShownCall = {
  readonly call: CallRecord;
  readonly context: { readonly tokens: number; readonly share: number | undefined };
};

export type CallLineOptions = {
  readonly color: boolean;
  /** Undefined if the output is not a terminal; names are then printed whole. */
  readonly columns: number | undefined;
  readonly formatLocalTime: (ts: string) => readonly [day: string, time: string];
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

// The tokens in context are coloured if they fill at least these shares of the context window.
const cautionShare = 0.5;

const badShare = 0.8;

const columnGap = "  ";

const fixedColumns = { time: 8, tokens: 13, duration: 8, outcome: 10, context: 8 } as const;

export function formatCallLine({ call, context }: ShownCall, options: CallLineOptions): string {
  const { count, range } = makeTokenFormat(call.is_estimated);
  const { input_tokens: input, output_tokens: output, most_tokens: mostTokens = 0 } = call;
  const [day, localTime] = options.formatLocalTime(call.ts);
  const time = day === options.today ? localTime : `${day} ${localTime}`;
  const tokens = `${count(input)} → ${range(output, mostTokens - input)}`;
  const fixedCells = {
    tokens: tokens.padStart(fixedColumns.tokens),
    duration: formatInSeconds(call.duration_ms).padStart(fixedColumns.duration),
    outcome: call.outcome.padEnd(fixedColumns.outcome),
    context: count(context.tokens).padStart(fixedColumns.context),
  };
  const outcomeTone = options.color ? tones[call.outcome] : undefined;
  const fixedWidth = addUp([time, ...Object.values(fixedCells)].map(({ length }) => length));
  const [serverColumns, toolColumns] = divideNameColumns(options.columns, fixedWidth);
  const cells = [
    time,
    formatNameCell(call.server, serverColumns, options),
    formatNameCell(call.tool ?? call.method, toolColumns, options),
    fixedCells.tokens,
    fixedCells.duration,
    fixedCells.outcome.replace(call.outcome, paintText(call.outcome, outcomeTone)),
    paintText(fixedCells.context, options.color ? pickShareTone(context.share) : undefined),
  ];
  return `${cells.join(columnGap).trimEnd()}\n`;
}

export function formatCallLineHeads(options: Pick<CallLineOptions, "columns">): string {
  const fixedWidth = addUp(Object.values(fixedColumns));
  const [serverColumns, toolColumns] = divideNameColumns(options.columns, fixedWidth);
  const heads = [
    "time".padEnd(fixedColumns.time),
    "server".padEnd(serverColumns),
    "tool".padEnd(toolColumns),
    "tokens".padStart(fixedColumns.tokens),
    "duration".padStart(fixedColumns.duration),
    "outcome".padEnd(fixedColumns.outcome),
    "context".padStart(fixedColumns.context),
  ];
  return `${heads.join(columnGap)}\n`;
}

function divideNameColumns(
  columns: number | undefined,
  fixedWidth: number,
): readonly [server: number, tool: number] {
  // Between seven cells.
  const gapColumns = 6 * columnGap.length;
  const available = columns === undefined ? cellWidthMax * 1.5 : columns - fixedWidth - gapColumns;
  const tool = Math.ceil((available * 2) / 3);
  return [
    clamp(available - tool, callNameColumnsMin, cellWidthMax / 2),
    clamp(tool, callNameColumnsMin, cellWidthMax),
  ];
}

function clamp(columns: number, min: number, max: number): number {
  return Math.floor(Math.max(min, Math.min(columns, max)));
}

function formatNameCell(
  name: string,
  columns: number,
  options: Pick<CallLineOptions, "columns">,
): string {
  const columnsMax = options.columns === undefined ? nameCharactersMax : columns;
  const text = escapeForTerminal({ name, columnsMax });
  return `${text}${" ".repeat(Math.max(0, columns - displayWidth(text)))}`;
}

function pickShareTone(share: number | undefined): Tone | undefined {
  if (share === undefined || share < cautionShare) return undefined;
  return share < badShare ? "caution" : "bad";
}
