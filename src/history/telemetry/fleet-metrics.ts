import { reportSessionsMax, telemetryNameCharactersMax } from "#kit/limits.ts";
import type { MeterRecord, SessionRecord } from "#records/record.ts";
import { safeName } from "#kit/text/unsafe-text.ts";
import { attributeNames, instruments, otherName } from "./instruments.ts";
import { type Attributes, type MetricReading, Series } from "./series.ts";
import { SessionMetrics } from "./session-metrics.ts";

// Combinations of server, client and estimator; further ones are summed up as `(other)`.
export const telemetryGroupsMax = 200;

type Group = { readonly labels: Attributes; readonly metrics: SessionMetrics };

export type BudgetUse = {
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
