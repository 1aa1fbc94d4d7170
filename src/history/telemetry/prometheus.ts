import type { Instrument, Attributes, MetricReading, MetricPoint } from "./metric-definitions.ts";

// As in OpenTelemetry's mapping to Prometheus, a unit in braces adds no suffix.
const unitSuffixes: { readonly [unit: string]: string } = { s: "_seconds" };

function makePrometheusName({ name, unit, kind }: Instrument): string {
  const base = `${replaceSymbols(name)}${unitSuffixes[unit] ?? ""}`;
  return kind === "counter" ? `${base}_total` : base;
}

export function formatPrometheus(readings: readonly MetricReading[]): string {
  const byName = Map.groupBy(readings, ({ instrument }) => makePrometheusName(instrument));
  return [...byName].map(([name, group]) => formatMetric(name, group)).join("");
}

function formatMetric(name: string, group: readonly MetricReading[]): string {
  const [first] = group;
  if (!first) return "";
  const { instrument } = first;
  const lines = group.flatMap(({ points }) =>
    points.flatMap((point) =>
      instrument.kind === "histogram"
        ? formatHistogram(name, point, instrument.bounds ?? [])
        : [formatSample(name, point.attributes, point.values[0] ?? 0)],
    ),
  );
  return [
    `# HELP ${name} ${escape(instrument.description)}.`,
    `# TYPE ${name} ${instrument.kind}`,
    ...lines,
    "",
  ].join("\n");
}

function formatHistogram(
  name: string,
  { attributes, values }: MetricPoint,
  bounds: readonly number[],
): string[] {
  let count = 0;
  const buckets = [...bounds.map(String), "+Inf"].map((le, at) => {
    count += values[at] ?? 0;
    return formatSample(`${name}_bucket`, { ...attributes, le }, count);
  });
  return [
    ...buckets,
    formatSample(`${name}_sum`, attributes, values[bounds.length + 1] ?? 0),
    formatSample(`${name}_count`, attributes, count),
  ];
}

function formatSample(name: string, attributes: Attributes, value: number): string {
  const labels = Object.entries(attributes).map(
    ([label, text]) => `${replaceSymbols(label)}="${escape(String(text)).replaceAll('"', '\\"')}"`,
  );
  return `${name}${labels.length === 0 ? "" : `{${labels.join(",")}}`} ${value}`;
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function replaceSymbols(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, "_");
}
