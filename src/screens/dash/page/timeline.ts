import type { CallRow, MarkRow } from "../view.ts";
import { formatOffset, formatPixels, formatRound, hour, minute, second } from "./format.ts";

export type Spread = "time" | "order";

export type TimelineCall = Pick<
  CallRow,
  "seq" | "offset_ms" | "duration_ms" | "tool" | "total_tokens" | "outcome" | "context_tokens"
>;

export type CallStyle = "ok" | "error" | "refused" | "other";

type Lane = {
  readonly tool: string | null; // null: the lane combines several tools
  readonly tools: number;
  readonly paths: Readonly<Partial<Record<CallStyle, string>>>;
};

export type TimelinePoint = {
  readonly call: TimelineCall;
  readonly x: number;
  readonly startX: number;
  readonly lane: number;
};

type PlacedMark = { readonly key: string; readonly mark: MarkRow; readonly x: number };

export type Timeline = {
  readonly lanes: readonly Lane[];
  readonly points: readonly TimelinePoint[];
  readonly marks: readonly PlacedMark[];
  // The SVG paths of the context: its line, and the area below the line.
  readonly line: string;
  readonly area: string;
  readonly contextTop: number; // tokens at the top edge of the chart
  readonly lastMs: number;
};

type TimelineSize = {
  readonly width: number;
  readonly contextHeight: number;
  readonly laneHeight: number;
  readonly lanes: number;
};

type ContextBounds = {
  readonly definitionTokens: number;
  readonly window: number;
};

// If the context has reached this share of the model's context window, the chart's scale includes the whole window.
const windowShareMin = 0.25;

export function layOutTimeline(
  calls: readonly TimelineCall[],
  marks: readonly (readonly [key: string, mark: MarkRow])[],
  context: ContextBounds,
  { spread, ...size }: TimelineSize & { readonly spread: Spread },
): Timeline {
  const ordered = calls.toSorted((a, b) => a.seq - b.seq);
  const lastMs = Math.max(1, ...ordered.map((call) => call.offset_ms));
  const scaleX = makeScale(ordered, spread, lastMs, size.width);
  const lanes = assignLanes(ordered, size.lanes);
  const laneByTool = new Map(lanes.flatMap(({ tools }, lane) => tools.map((tool) => [tool, lane])));
  const points = ordered.map((call, index) => {
    const x = scaleX(call, index);
    const length = spread === "time" ? ((call.duration_ms ?? 0) / lastMs) * size.width : 0;
    const startX = Math.max(0, x - length);
    return { call, x, startX, lane: laneByTool.get(call.tool) ?? 0 };
  });
  const contextTop = computeContextTop(ordered, context);
  const maxTokens = Math.max(1, ...ordered.map((call) => call.total_tokens));
  // Definitions recorded after the first call are not in the context before that call.
  const [first] = ordered;
  const tokensBefore = first ? first.context_tokens - first.total_tokens : Infinity;
  const firstTokens = Math.max(0, Math.min(context.definitionTokens, tokensBefore));
  const line = drawContextLine(points, firstTokens, contextTop, size);
  return {
    lanes: lanes.map(({ tools, isCombined }, lane) =>
      drawLane(
        isCombined ? null : (tools[0] ?? null),
        tools.length,
        points.filter((point) => point.lane === lane),
        { lane, maxTokens, height: size.laneHeight },
      ),
    ),
    points: points.toSorted((a, b) => a.x - b.x),
    marks: marks.map(([key, mark]) => ({ key, mark, x: placeMark(mark, points, size.width) })),
    line,
    area: line === "" ? "" : `${line}V${size.contextHeight}H0Z`,
    contextTop,
    lastMs,
  };
}

/** For several calls, picks `order` if more time passes before the first call than from the first to the last. */
export function pickSpread(calls: readonly TimelineCall[]): Spread {
  const offsets = calls.map((call) => call.offset_ms);
  return Math.min(...offsets) * 2 > Math.max(...offsets) && calls.length > 1 ? "order" : "time";
}

export function findNearestCall(
  points: readonly TimelinePoint[],
  x: number,
  lane: number | undefined,
): TimelinePoint | undefined {
  let nearest: TimelinePoint | undefined;
  let minDistance = Infinity;
  for (const point of points) {
    const lanePenalty = lane !== undefined && point.lane !== lane ? 1000 : 0;
    const distance = Math.abs(point.x - x) + lanePenalty;
    if (distance < minDistance) [nearest, minDistance] = [point, distance];
  }
  return nearest;
}

export function pickCallStyle(outcome: TimelineCall["outcome"]): CallStyle {
  if (outcome === "ok" || outcome === "refused") return outcome;
  return outcome === "tool_error" || outcome === "rpc_error" ? "error" : "other";
}

function makeScale(
  ordered: readonly TimelineCall[],
  spread: Spread,
  lastMs: number,
  width: number,
): (call: TimelineCall, index: number) => number {
  if (spread === "time") return (call) => (call.offset_ms / lastMs) * width;
  const gap = width / Math.max(1, ordered.length);
  return (_call, index) => (index + 1) * gap;
}

function placeMark(mark: MarkRow, points: readonly TimelinePoint[], width: number): number {
  const nextCall = points.find(({ call }) => call.offset_ms >= mark.offset_ms);
  return nextCall?.x ?? points.at(-1)?.x ?? width;
}

function assignLanes(
  calls: readonly TimelineCall[],
  lanesMax: number,
): { readonly tools: readonly string[]; readonly isCombined: boolean }[] {
  const sums = new Map<string, number>();
  for (const call of calls) sums.set(call.tool, (sums.get(call.tool) ?? 0) + call.total_tokens);
  const tools = [...sums].toSorted(([, a], [, b]) => b - a).map(([tool]) => tool);
  if (tools.length <= lanesMax) return tools.map((tool) => ({ tools: [tool], isCombined: false }));
  const toolLanes = tools
    .slice(0, lanesMax - 1)
    .map((tool) => ({ tools: [tool], isCombined: false }));
  return [...toolLanes, { tools: tools.slice(lanesMax - 1), isCombined: true }];
}

function drawLane(
  tool: string | null,
  tools: number,
  points: readonly TimelinePoint[],
  { lane, maxTokens, height }: { lane: number; maxTokens: number; height: number },
): Lane {
  const paths: Partial<Record<CallStyle, string>> = {};
  const bottom = (lane + 1) * height - 3;
  for (const { call, x, startX } of points) {
    const style = pickCallStyle(call.outcome);
    // The square root keeps small calls visible next to large ones.
    const barHeight = Math.max(3, Math.sqrt(call.total_tokens / maxTokens) * (height - 6));
    const duration = x - startX < 1 ? "" : `M${formatPixels(startX)} ${bottom}H${formatPixels(x)}`;
    const bar = `M${formatPixels(x)} ${bottom}v${formatPixels(-barHeight)}`;
    paths[style] = `${paths[style] ?? ""}${duration}${bar}`;
  }
  return { tool, tools, paths };
}

function computeContextTop(calls: readonly TimelineCall[], context: ContextBounds): number {
  const maxTokens = Math.max(
    1,
    context.definitionTokens,
    ...calls.map((call) => call.context_tokens),
  );
  const showsWindow = context.window > 0 && maxTokens >= context.window * windowShareMin;
  return (showsWindow ? Math.max(maxTokens, context.window) : maxTokens) * 1.08;
}

// A line of steps, because the context grows when a call ends, not between calls.
function drawContextLine(
  points: readonly TimelinePoint[],
  firstTokens: number,
  top: number,
  { width, contextHeight }: TimelineSize,
): string {
  const y = (tokens: number): string =>
    formatPixels(contextHeight - (tokens / top) * contextHeight);
  const steps = points.map(({ call, x }) => `H${formatPixels(x)}V${y(call.context_tokens)}`);
  return `M0 ${y(firstTokens)}${steps.join("")}H${width}`;
}

/** Numbers calls from 1 in the order of `seq`, which also counts other records. */
export function numberCalls(calls: readonly Pick<CallRow, "seq">[]): ReadonlyMap<number, number> {
  const ordered = calls.toSorted((a, b) => a.seq - b.seq);
  return new Map(ordered.map(({ seq }, index) => [seq, index + 1]));
}

export type Tick = { readonly value: number; readonly label: string };

export function makeCountTicks(max: number, count: number): Tick[] {
  if (max <= 0) return [];
  const stepMin = Math.max(1, max / Math.max(1, count));
  const magnitude = 10 ** Math.floor(Math.log10(stepMin));
  const step = magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude >= stepMin) ?? 10);
  const ticks: Tick[] = [];
  for (let value = 0; value <= max; value += step) ticks.push({ value, label: formatRound(value) });
  return ticks;
}

const day = 24 * hour;

const timeSteps = [
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hourSteps) => hourSteps * hour),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * day),
];

export function makeTimeTicks(max: number, count: number): Tick[] {
  const stepMin = max / Math.max(1, count);
  const step = timeSteps.find((candidate) => candidate >= stepMin) ?? 90 * day;
  const ticks: Tick[] = [];
  for (let value = 0; value <= max && ticks.length < 100; value += step) {
    ticks.push({ value, label: formatOffset(value, max) });
  }
  return ticks;
}
