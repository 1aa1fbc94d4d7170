import {
  type Instrument,
  type Attributes,
  type MetricReading,
  type MetricPoint,
  attributeNames,
  instruments,
  otherName,
  Series,
  telemetryNameCharactersMax,
} from "./metric-definitions.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { MeterRecord, SessionRecord } from "#records/record.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { SessionMetrics } from "./session-metrics.ts";
import { reportSessionsMax } from "#records/ledger.ts";

export const telemetryGroupsMax = 200;

type Group = { readonly labels: Attributes; readonly metrics: SessionMetrics };

type BudgetUse = {
  readonly server: string | null;
  readonly budget: string;
  readonly user: string | null; // null for a budget of all users
  readonly share: number;
};

// Never adds up tokens of different estimators. Expects the records of a session in order, each once.
export class FleetMetrics {
  readonly #groups = new Map<string, Group>();
  readonly #sessions = new Map<string, Group>();
  readonly #budgets = new Series(instruments.budgetUsed);
  readonly #countersUp = new Series(instruments.countersUp);

  take(record: MeterRecord): void {
    this.#findGroup(record)?.metrics.take(record);
  }

  addBudget({ server, budget, user, share }: BudgetUse): void {
    const labels = {
      ...makeLabel(attributeNames.budget, budget),
      ...makeLabel(attributeNames.server, server),
      ...makeLabel(attributeNames.user, user === "" ? "(no name)" : user),
    };
    this.#budgets.raise(labels, share);
  }

  recordCountersReadable(areReadable: boolean): void {
    this.#countersUp.set({}, areReadable ? 1 : 0);
  }

  readAll(): readonly MetricReading[] {
    const sessionReadings = [...this.#groups.values()].flatMap(({ labels, metrics }) =>
      metrics
        .readAll("cumulative")
        // A budget's use at the end of a session is left out, because the budget's period may be over by now.
        .filter(({ instrument }) => instrument !== instruments.budgetUsed)
        .map((reading) => ({
          instrument: reading.instrument,
          points: reading.points.map(({ attributes, values }) => ({
            attributes: { ...labels, ...attributes },
            values,
          })),
        })),
    );
    const counterReadings = [this.#budgets, this.#countersUp].map((series) =>
      series.read("cumulative"),
    );
    return [...sessionReadings, ...counterReadings.filter(({ points }) => points.length > 0)];
  }

  #findGroup(record: MeterRecord): Group | undefined {
    const known = this.#sessions.get(record.session_id);
    if (known || record.type !== "session" || this.#sessions.size >= reportSessionsMax)
      return known;
    const group = this.#openGroup(record);
    this.#sessions.set(record.session_id, group);
    return group;
  }

  #openGroup({ server, client_name: client, estimator }: SessionRecord): Group {
    const fullLabels = makeLabels(server, nameClient(client) ?? "unknown", estimator);
    const hasRoom = this.#groups.size < telemetryGroupsMax || this.#groups.has(makeKey(fullLabels));
    const labels = hasRoom ? fullLabels : makeLabels(otherName, otherName, estimator);
    const known = this.#groups.get(makeKey(labels));
    if (known) return known;
    const group = { labels, metrics: new SessionMetrics() };
    this.#groups.set(makeKey(labels), group);
    return group;
  }
}

function makeLabel(name: string, value: string | null): Attributes {
  return value === null ? {} : { [name]: makeSafeName(value, telemetryNameCharactersMax) };
}

function makeLabels(server: string, client: string, estimator: string): Attributes {
  return {
    [attributeNames.server]: makeSafeName(server, telemetryNameCharactersMax),
    [attributeNames.client]: makeSafeName(client, telemetryNameCharactersMax),
    [attributeNames.estimator]: makeSafeName(estimator, telemetryNameCharactersMax),
  };
}

function makeKey(labels: Attributes): string {
  return JSON.stringify(labels);
}

// As in OpenTelemetry's mapping to Prometheus, a unit such as `{token}` adds no suffix to the name.
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
