import type { HistogramRow, ToolView, ViewRows, DefinitionRow } from "../view.ts";
import { compact, durationText } from "./format.ts";
import { decadeTicks, logPlace, px, type Tick } from "./stack.ts";
import { lookOf, type CallLook } from "./timeline.ts";
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";

type Point = ToolView["tables"]["points"][string];

type Scatter = {
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** Dots of no length, which a round line cap draws. */
  readonly paths: Readonly<Partial<Record<CallLook, string>>>;
  readonly x: (tokens: number) => number;
  readonly y: (ms: number) => number;
};

export function layScatter(points: ViewRows<Point>, width: number, height: number): Scatter {
  const all = Object.values(points);
  const tokens = all.map((point) => point.total_tokens);
  const times = all.map((point) => point.duration_ms);
  const xTicks = decadeTicks(Math.min(...tokens), Math.max(1, ...tokens), compact);
  const yTicks = decadeTicks(Math.min(...times), Math.max(1, ...times), durationText);
  const x = (value: number): number => logPlace(value, xTicks) * width;
  const y = (ms: number): number => height - logPlace(ms, yTicks) * height;
  const paths: Partial<Record<CallLook, string>> = {};
  for (const { total_tokens: size, duration_ms: ms, outcome } of all) {
    const look = lookOf(outcome);
    paths[look] = `${paths[look] ?? ""}M${px(x(size))} ${px(y(ms))}h0`;
  }
  return { xTicks, yTicks, paths, x, y };
}

type HistogramColumn = {
  readonly key: string;
  readonly row: HistogramRow;
  readonly share: number;
};

export function layHistogram(rows: ViewRows<HistogramRow>): HistogramColumn[] {
  const most = Math.max(1, ...Object.values(rows).map(({ calls }) => calls));
  return Object.entries(rows)
    .toSorted(([, one], [, other]) => one.from - other.from)
    .map(([key, row]) => ({ key, row, share: row.calls / most }));
}

const definitionParts = ["schema", "description", "name"] as const;

type DefinitionPart = (typeof definitionParts)[number];

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
  readonly parts: readonly { readonly part: DefinitionPart; readonly box: Box }[];
};

type Branch = {
  readonly key?: string;
  readonly row?: DefinitionRow;
  readonly part?: DefinitionPart;
  readonly tokens?: number;
  readonly children?: readonly Branch[];
};

export function layTreemap(
  rows: ViewRows<DefinitionRow>,
  size: { readonly width: number; readonly height: number },
): Tile[] {
  const tools = Object.entries(rows).filter(([, row]) => partTokens(row).some((one) => one > 0));
  const branches = tools
    .toSorted(([, one], [, other]) => sumOf(partTokens(other)) - sumOf(partTokens(one)))
    .map(branchOf);
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
    const parts = (tool.children ?? []).flatMap((leaf) =>
      leaf.data.part === undefined ? [] : [{ part: leaf.data.part, box: boxOf(leaf) }],
    );
    return [{ key, row, box: boxOf(tool), parts }];
  });
}

function partTokens(row: DefinitionRow): number[] {
  return [row.schema_tokens, row.description_tokens, row.name_tokens];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function branchOf([key, row]: readonly [string, DefinitionRow]): Branch {
  const tokens = partTokens(row);
  const children = definitionParts.map((part, at) => ({ part, tokens: tokens[at] ?? 0 }));
  return { key, row, children: children.filter((child) => child.tokens > 0) };
}

function boxOf(node: { x0: number; x1: number; y0: number; y1: number }): Box {
  return { x: node.x0, y: node.y0, width: node.x1 - node.x0, height: node.y1 - node.y0 };
}
