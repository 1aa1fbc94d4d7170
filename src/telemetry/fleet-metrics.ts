import { telemetryGroupsMax, telemetryNameCharactersMax } from "#limits/telemetry.ts";
import { reportSessionsMax } from "#limits/records.ts";
import type { MeterRecord, SessionRecord } from "#records/record.ts";
import { safeName } from "#text/safe-name.ts";
import { attributeNames, instruments } from "./instruments.ts";
import { type Attributes, type MetricReading, Series } from "./series.ts";
import { SessionMetrics } from "./session-metrics.ts";
import { otherName } from "./tool-names.ts";

type Group = { readonly labels: Attributes; readonly metrics: SessionMetrics };

/** The part of a budget counter that is spent now. */
export type BudgetUse = {
  /** Null for all servers together. */
  readonly server: string | null;
  readonly budget: string;
  readonly share: number;
};

/**
 * The metrics of many sessions by server, client and estimator: of different estimators tokens are never added up. Takes the
 * records of each session in their order, each once.
 */
export class FleetMetrics {
  readonly #groups = new Map<string, Group>();
  readonly #sessions = new Map<string, Group>();
  readonly #budgets = new Series(instruments.budgetUsed);
  readonly #countersUp = new Series(instruments.countersUp);

  take(record: MeterRecord): void {
    this.#groupOf(record)?.metrics.take(record);
  }

  /** Notes the use of a budget; of one with several counters the largest counts. */
  addBudget({ server, budget, share }: BudgetUse): void {
    const labels = {
      [attributeNames.budget]: safeName(budget, telemetryNameCharactersMax),
      ...(server === null
        ? {}
        : { [attributeNames.server]: safeName(server, telemetryNameCharactersMax) }),
    };
    this.#budgets.raise(labels, share);
  }

  /** Notes whether the budget counters could be read. */
  noteCounters(areReadable: boolean): void {
    this.#countersUp.set({}, areReadable ? 1 : 0);
  }

  /** Sums of everything that was taken, with server, client and estimator as labels. */
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

  /** Undefined for a session beyond the limit, and for a record of one that has no session record. */
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
