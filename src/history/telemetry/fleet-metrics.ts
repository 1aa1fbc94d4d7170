import { reportSessionsMax, telemetryNameCharactersMax } from "#kit/limits.ts";
import type { MeterRecord, SessionRecord } from "#records/record.ts";
import { safeName } from "#kit/text/unsafe-text.ts";
import {
  attributeNames,
  instruments,
  otherName,
  type Instrument,
  type Attributes,
  type MetricReading,
  Series,
  type MetricPoint,
} from "./instruments.ts";
import { SessionMetrics } from "./session-metrics.ts";

// Combinations of server, client and estimator; further ones are summed up as `(other)`.
export const telemetryGroupsMax = 200;

type Group = { readonly labels: Attributes; readonly metrics: SessionMetrics };

type BudgetUse = {
  readonly server: string | null;
  readonly budget: string;
  readonly share: number;
};

/** Tokens of different estimators are never added up. Takes the records of each session in order, each once. */
export class FleetMetrics {
  readonly #groups = new Map<string, Group>();
  readonly #sessions = new Map<string, Group>();
  readonly #budgets = new Series(instruments.budgetUsed);
  readonly #countersUp = new Series(instruments.countersUp);

  take(record: MeterRecord): void {
    this.#groupOf(record)?.metrics.take(record);
  }

  /** Of several counters of a budget the largest counts. */
  addBudget({ server, budget, share }: BudgetUse): void {
    const labels = {
      [attributeNames.budget]: safeName(budget, telemetryNameCharactersMax),
      ...(server === null
        ? {}
        : { [attributeNames.server]: safeName(server, telemetryNameCharactersMax) }),
    };
    this.#budgets.raise(labels, share);
  }

  noteCounters(areReadable: boolean): void {
    this.#countersUp.set({}, areReadable ? 1 : 0);
  }

  readings(): readonly MetricReading[] {
    const sessions = [...this.#groups.values()].flatMap(({ labels, metrics }) =>
      metrics
        .readings("cumulative")
        // Records have the use of a budget at the end of a session, whose period may be over.
        .filter(({ instrument }) => instrument !== instruments.budgetUsed)
        .map((reading) => labelled(reading, labels)),
    );
    const counters = [this.#budgets, this.#countersUp].map((one) => one.reading("cumulative"));
    return [...sessions, ...counters.filter(({ points }) => points.length > 0)];
  }

  #groupOf(record: MeterRecord): Group | undefined {
    const known = this.#sessions.get(record.session_id);
    if (known || record.type !== "session" || this.#sessions.size >= reportSessionsMax)
      return known;
    const group = this.#groupFor(record);
    this.#sessions.set(record.session_id, group);
    return group;
  }

  #groupFor({ server, client_name: client, estimator }: SessionRecord): Group {
    const own = labelsOf(server, client ?? "unknown", estimator);
    const hasRoom = this.#groups.size < telemetryGroupsMax || this.#groups.has(keyOf(own));
    const labels = hasRoom ? own : labelsOf(otherName, otherName, estimator);
    const known = this.#groups.get(keyOf(labels));
    if (known) return known;
    const group = { labels, metrics: new SessionMetrics() };
    this.#groups.set(keyOf(labels), group);
    return group;
  }
}

function labelsOf(server: string, client: string, estimator: string): Attributes {
  return {
    [attributeNames.server]: safeName(server, telemetryNameCharactersMax),
    [attributeNames.client]: safeName(client, telemetryNameCharactersMax),
    [attributeNames.estimator]: safeName(estimator, telemetryNameCharactersMax),
  };
}

function keyOf(labels: Attributes): string {
  return JSON.stringify(labels);
}

function labelled({ instrument, points }: MetricReading, labels: Attributes): MetricReading {
  return {
    instrument,
    points: points.map(({ attributes, values }) => ({
      attributes: { ...labels, ...attributes },
      values,
    })),
  };
}

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
