import { reportServersMax } from "#limits.ts";
import { estimationOf, lessCertain } from "#records/certainty.ts";
import type { MeterRecord, SessionRecord } from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { Advice } from "./advice.ts";
import { makeAdvice } from "./make-advice.ts";
import { ServerFold } from "./server-usage.ts";

/** Advice about sessions of one estimator. */
export type AdvicePart = {
  /** Null for sessions without a session record. */
  readonly estimation: SummaryEstimation | null;
  readonly advice: readonly Advice[];
};

type Part = { estimation: SummaryEstimation | null; readonly servers: Map<string, ServerFold> };

/** Folds the records of many sessions by estimator and server. Records come once, those of a session in their order. */
export class AdviceFold {
  /** The estimator of each session. */
  readonly #estimators = new Map<string, string>();
  readonly #parts = new Map<string, Part>();
  #servers = 0;
  #leftOut = 0;

  /** Records of servers for which there was no room. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Takes the estimator of a session that began before the period. */
  know({ session_id: id, estimator }: SessionRecord): void {
    this.#estimators.set(id, estimator);
  }

  add(record: MeterRecord): void {
    if (record.type === "session") this.know(record);
    const part = this.#partOf(this.#estimators.get(record.session_id) ?? "");
    if (record.type === "session") {
      part.estimation = lessCertain(part.estimation, estimationOf(record));
    }
    const fold = part.servers.get(record.server) ?? this.#addServer(part, record.server);
    if (fold) fold.add(record);
    else this.#leftOut += 1;
  }

  /** The advice, by estimator. */
  parts(): AdvicePart[] {
    return [...this.#parts.values()].map(({ estimation, servers }) => ({
      estimation,
      advice: makeAdvice([...servers.values()].map((fold) => fold.usage())),
    }));
  }

  #partOf(estimator: string): Part {
    const part = this.#parts.get(estimator) ?? { estimation: null, servers: new Map() };
    this.#parts.set(estimator, part);
    return part;
  }

  #addServer({ servers }: Part, server: string): ServerFold | undefined {
    if (this.#servers >= reportServersMax) return undefined;
    this.#servers += 1;
    const fold = new ServerFold(server);
    servers.set(server, fold);
    return fold;
  }
}
