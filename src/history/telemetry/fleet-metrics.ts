import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { MeterRecord, SessionRecord } from "#records/record.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import {
  attributeNames,
  instruments,
  otherName,
  type Attributes,
  type MetricReading,
  Series,
  telemetryNameCharactersMax,
} from "./metric-definitions.ts";
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

  setCountersUp(areReadable: boolean): void {
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
