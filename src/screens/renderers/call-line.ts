import { nameCharactersMax } from "#kit/limits.ts";
import type { CallRecord, Outcome } from "#records/record.ts";
import { displayWidth, cellWidthMax } from "#kit/text/columns.ts";
import { addUp } from "#kit/text/numbers.ts";
import { formatInSeconds } from "#kit/text/durations.ts";
import type { Tone } from "./document.ts";
import { makeTokenFormat } from "./token-ranges.ts";
import { paintText, escapeForTerminal } from "./terminal.ts";

const nameWidthMin = 6;

type ShownCall = {
  readonly call: CallRecord;
  readonly context: { readonly tokens: number; readonly share: number | undefined };
};

export type CallLineOptions = {
  readonly color: boolean;
  /** Undefined with `--wide`, or if there is no terminal of known width. Names are then printed whole. */
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

const cellWidths = { time: 8, tokens: 13, duration: 8, outcome: 10, context: 8 } as const;

export function formatCallLine({ call, context }: ShownCall, options: CallLineOptions): string {
  const { count, range } = makeTokenFormat(call.is_estimated);
  const { input_tokens: input, output_tokens: output, most_tokens: mostTokens = 0 } = call;
  const [day, localTime] = options.formatLocalTime(call.ts);
  const time = day === options.today ? localTime : `${day} ${localTime}`;
  const tokens = `${count(input)} → ${range(output, mostTokens - input)}`;
  const fixedCells = {
    tokens: tokens.padStart(cellWidths.tokens),
    duration: formatInSeconds(call.duration_ms).padStart(cellWidths.duration),
    outcome: call.outcome.padEnd(cellWidths.outcome),
    context: count(context.tokens).padStart(cellWidths.context),
  };
  const outcomeTone = options.color ? tones[call.outcome] : undefined;
  const fixedWidth = addUp([time, ...Object.values(fixedCells)].map(({ length }) => length));
  const [serverWidth, toolWidth] = divideNameWidth(options.columns, fixedWidth);
  const cells = [
    time,
    formatNameCell(call.server, serverWidth, options),
    formatNameCell(call.tool ?? call.method, toolWidth, options),
    fixedCells.tokens,
    fixedCells.duration,
    fixedCells.outcome.replace(call.outcome, paintText(call.outcome, outcomeTone)),
    paintText(fixedCells.context, options.color ? pickShareTone(context.share) : undefined),
  ];
  return `${cells.join(columnGap).trimEnd()}\n`;
}

export function formatCallLineHeads(options: Pick<CallLineOptions, "columns">): string {
  const fixedWidth = addUp(Object.values(cellWidths));
  const [serverWidth, toolWidth] = divideNameWidth(options.columns, fixedWidth);
  const heads = [
    "time".padEnd(cellWidths.time),
    "server".padEnd(serverWidth),
    "tool".padEnd(toolWidth),
    "tokens".padStart(cellWidths.tokens),
    "duration".padStart(cellWidths.duration),
    "outcome".padEnd(cellWidths.outcome),
    "context".padStart(cellWidths.context),
  ];
  return `${heads.join(columnGap)}\n`;
}

function divideNameWidth(
  columns: number | undefined,
  fixedWidth: number,
): readonly [server: number, tool: number] {
  // Seven cells have six gaps between them.
  const gapsWidth = 6 * columnGap.length;
  const available = columns === undefined ? cellWidthMax * 1.5 : columns - fixedWidth - gapsWidth;
  const tool = Math.ceil((available * 2) / 3);
  return [
    clamp(available - tool, nameWidthMin, cellWidthMax / 2),
    clamp(tool, nameWidthMin, cellWidthMax),
  ];
}

function clamp(width: number, min: number, max: number): number {
  return Math.floor(Math.max(min, Math.min(width, max)));
}

function formatNameCell(
  name: string,
  width: number,
  options: Pick<CallLineOptions, "columns">,
): string {
  const columnsMax = options.columns === undefined ? nameCharactersMax : width;
  const text = escapeForTerminal({ name, columnsMax });
  return `${text}${" ".repeat(Math.max(0, width - displayWidth(text)))}`;
}

function pickShareTone(share: number | undefined): Tone | undefined {
  if (share === undefined || share < cautionShare) return undefined;
  return share < badShare ? "caution" : "bad";
}
