import type { Instrument } from "./instruments.ts";
import type { Attributes, MetricPoint, MetricReading } from "./series.ts";

/** As OpenTelemetry translates units to Prometheus: a unit in braces has no suffix. */
const suffixes: { readonly [unit: string]: string } = { s: "_seconds" };

function prometheusName({ name, unit, kind }: Instrument): string {
  const base = `${underscored(name)}${suffixes[unit] ?? ""}`;
  return kind === "counter" ? `${base}_total` : base;
}

export function prometheusText(readings: readonly MetricReading[]): string {
  const byName = Map.groupBy(readings, ({ instrument }) => prometheusName(instrument));
  return [...byName].map(([name, group]) => block(name, group)).join("");
}

function block(name: string, group: readonly MetricReading[]): string {
  const [first] = group;
  if (!first) return "";
  const { instrument } = first;
  const lines = group.flatMap(({ points }) =>
    points.flatMap((point) =>
      instrument.kind === "histogram"
        ? histogramLines(name, point, instrument.bounds ?? [])
        : [sample(name, point.attributes, point.values[0] ?? 0)],
    ),
  );
  return [
    `# HELP ${name} ${escaped(instrument.description)}.`,
    `# TYPE ${name} ${instrument.kind}`,
    ...lines,
    "",
  ].join("\n");
}

function histogramLines(
  name: string,
  { attributes, values }: MetricPoint,
  bounds: readonly number[],
): string[] {
  let count = 0;
  const buckets = [...bounds.map(String), "+Inf"].map((le, at) => {
    count += values[at] ?? 0;
    return sample(`${name}_bucket`, { ...attributes, le }, count);
  });
  return [
    ...buckets,
    sample(`${name}_sum`, attributes, values[bounds.length + 1] ?? 0),
    sample(`${name}_count`, attributes, count),
  ];
}

function sample(name: string, attributes: Attributes, value: number): string {
  const labels = Object.entries(attributes).map(
    ([label, text]) => `${underscored(label)}="${escaped(String(text)).replaceAll('"', '\\"')}"`,
  );
  return `${name}${labels.length === 0 ? "" : `{${labels.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function underscored(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, "_");
}
