import type { HistogramRow, ToolView, ViewRows, DefinitionRow } from "../view.ts";
import { formatCompact, formatElapsed } from "./format.ts";
import { makeDecadeTicks, scaleLog, formatPixels, type Tick } from "./stack.ts";
import { pickCallStyle, type CallStyle } from "./timeline.ts";
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";

type Point = ToolView["tables"]["points"][string];

type Scatter = {
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  // Zero-length segments: the round line cap draws them as dots.
  readonly paths: Readonly<Partial<Record<CallStyle, string>>>;
  readonly x: (tokens: number) => number;
  readonly y: (ms: number) => number;
};

export function layOutScatter(points: ViewRows<Point>, width: number, height: number): Scatter {
  const pointRows = Object.values(points);
  const tokens = pointRows.map((point) => point.total_tokens);
  const times = pointRows.map((point) => point.duration_ms);
  const xTicks = makeDecadeTicks(Math.min(...tokens), Math.max(1, ...tokens), formatCompact);
  const yTicks = makeDecadeTicks(Math.min(...times), Math.max(1, ...times), formatElapsed);
  const x = (value: number): number => scaleLog(value, xTicks) * width;
  const y = (ms: number): number => height - scaleLog(ms, yTicks) * height;
  const paths: Partial<Record<CallStyle, string>> = {};
  for (const { total_tokens: size, duration_ms: ms, outcome } of pointRows) {
    const style = pickCallStyle(outcome);
    paths[style] = `${paths[style] ?? ""}M${formatPixels(x(size))} ${formatPixels(y(ms))}h0`;
  }
  return { xTicks, yTicks, paths, x, y };
}

type HistogramColumn = {
  readonly key: string;
  readonly row: HistogramRow;
  readonly share: number;
};

export function layOutHistogram(rows: ViewRows<HistogramRow>): HistogramColumn[] {
  const maxCalls = Math.max(1, ...Object.values(rows).map(({ calls }) => calls));
  return Object.entries(rows)
    .toSorted(([, a], [, b]) => a.from - b.from)
    .map(([key, row]) => ({ key, row, share: row.calls / maxCalls }));
}

const definitionFields = ["schema", "description", "name"] as const;

type DefinitionField = (typeof definitionFields)[number];

type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type Tile = {
  readonly key: string;
  readonly row: DefinitionRow;
  readonly box: Box;
  readonly fields: readonly { readonly field: DefinitionField; readonly box: Box }[];
};

type Branch = {
  readonly key?: string;
  readonly row?: DefinitionRow;
  readonly field?: DefinitionField;
  readonly tokens?: number;
  readonly children?: readonly Branch[];
};

export function layOutTreemap(
  rows: ViewRows<DefinitionRow>,
  size: { readonly width: number; readonly height: number },
): Tile[] {
  const tools = Object.entries(rows).filter(([, row]) =>
    listFieldTokens(row).some((count) => count > 0),
  );
  const branches = tools
    .toSorted(([, a], [, b]) => sumTokens(listFieldTokens(b)) - sumTokens(listFieldTokens(a)))
    .map(buildBranch);
  const root = hierarchy<Branch>({ children: branches }).sum(({ tokens }) => tokens ?? 0);
  const laid = treemap<Branch>()
    .size([size.width, size.height])
    .tile(treemapSquarify.ratio(1.4))
    .paddingOuter(0)
    .paddingInner((node) => (node.depth === 0 ? 3 : 1))
    .round(true)(root);
  return (laid.children ?? []).flatMap((tool) => {
    const { key, row } = tool.data;
    if (key === undefined || row === undefined) return [];
    const fields = (tool.children ?? []).flatMap((leaf) =>
      leaf.data.field === undefined ? [] : [{ field: leaf.data.field, box: measureBox(leaf) }],
    );
    return [{ key, row, box: measureBox(tool), fields }];
  });
}

function listFieldTokens(row: DefinitionRow): number[] {
  return [row.schema_tokens, row.description_tokens, row.name_tokens];
}

function sumTokens(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function buildBranch([key, row]: readonly [string, DefinitionRow]): Branch {
  const tokens = listFieldTokens(row);
  const children = definitionFields.map((field, index) => ({ field, tokens: tokens[index] ?? 0 }));
  return { key, row, children: children.filter((child) => child.tokens > 0) };
}

function measureBox(node: { x0: number; x1: number; y0: number; y1: number }): Box {
  return { x: node.x0, y: node.y0, width: node.x1 - node.x0, height: node.y1 - node.y0 };
}
