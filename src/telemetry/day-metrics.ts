import { telemetryNameCharactersMax } from "#limits/telemetry.ts";
import { safeName } from "#text/safe-name.ts";
import { attributeNames, instruments } from "./instruments.ts";
import { methodLabel } from "./methods.ts";
import { type Attributes, type MetricReading, Series } from "./series.ts";
import { ToolNames } from "./tool-names.ts";

/** Tokens of one tool, or of definitions, on one day. */
export type DayUsage = {
  /** The beginning of the day, in milliseconds since 1970 UTC. */
  readonly startMs: number;
  readonly server: string;
  /** Null when it is not known. */
  readonly client: string | null;
  readonly estimator: string | null;
  readonly method: string;
  /** Null for methods without a tool. */
  readonly tool: string | null;
  readonly argumentTokens: number;
  readonly resultTokens: number;
  /** Of definitions in the context; calls have none. */
  readonly definitionTokens: number;
};

/** The tokens of one day. */
export type DayReading = { readonly startMs: number; readonly reading: MetricReading };

/** The days of one server, client and estimator, the oldest first. */
export type ServerDays = {
  readonly resource: Attributes;
  readonly days: readonly DayReading[];
};

type Group = {
  readonly resource: Attributes;
  readonly tools: ToolNames;
  readonly days: Map<number, Series>;
};

/**
 * The tokens of each day as values of that day's beginning: the same records always give the same values at the same times, so
 * that to send them again changes nothing.
 */
export function dayMetrics(usage: readonly DayUsage[]): readonly ServerDays[] {
  const groups = new Map<string, Group>();
  for (const one of usage) {
    const resource = resourceOf(one);
    const key = JSON.stringify(resource);
    const group = groups.get(key) ?? { resource, tools: new ToolNames(), days: new Map() };
    groups.set(key, group);
    addTo(group, one);
  }
  return [...groups.values()].map(({ resource, days }) => ({ resource, days: inOrder(days) }));
}

function addTo({ days, tools }: Group, usage: DayUsage): void {
  const series = days.get(usage.startMs) ?? new Series(instruments.dayTokens);
  days.set(usage.startMs, series);
  const { method, tool, argumentTokens, resultTokens, definitionTokens } = usage;
  if (definitionTokens > 0) {
    series.add({ [attributeNames.part]: "definitions" }, definitionTokens);
  }
  if (argumentTokens + resultTokens === 0) return;
  const isTool = method === "tools/call" && tool !== null;
  const shared = {
    [attributeNames.method]: methodLabel(method),
    ...(isTool ? { [attributeNames.tool]: tools.labelOf(tool) } : {}),
  };
  series.add({ ...shared, [attributeNames.part]: "arguments" }, argumentTokens);
  series.add({ ...shared, [attributeNames.part]: "result" }, resultTokens);
}

function inOrder(days: ReadonlyMap<number, Series>): DayReading[] {
  return [...days]
    .toSorted(([one], [other]) => one - other)
    .map(([startMs, series]) => ({ startMs, reading: series.reading("cumulative") }))
    .filter(({ reading }) => reading.points.length > 0);
}

function resourceOf({ server, client, estimator }: DayUsage): Attributes {
  return {
    [attributeNames.server]: named(server),
    [attributeNames.client]: named(client),
    [attributeNames.estimator]: named(estimator),
  };
}

function named(text: string | null): string {
  return safeName(text ?? "unknown", telemetryNameCharactersMax);
}
