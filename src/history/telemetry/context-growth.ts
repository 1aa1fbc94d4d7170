import type { MeterRecord } from "#records/record.ts";
import { SessionContext } from "#records/session-context.ts";

export const telemetrySessionsMax = 10_000;

type Grown = { readonly context: SessionContext; most: number };

/** A list that became shorter gives no tokens back: a counter never falls. */
export class ContextGrowth {
  readonly #sessions = new Map<string, Grown>();

  take(record: MeterRecord): number {
    const session = this.#sessionOf(record.session_id);
    session.context.add(record);
    const growth = Math.max(0, session.context.definitionTokens - session.most);
    session.most += growth;
    const isOver = record.type === "end" && (record.exit_code !== null || record.signal !== null);
    if (isOver) this.#sessions.delete(record.session_id);
    return growth;
  }

  #sessionOf(id: string): Grown {
    const known = this.#sessions.get(id);
    if (known) return known;
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= telemetrySessionsMax) {
      this.#sessions.delete(oldest);
    }
    const grown = { context: new SessionContext(), most: 0 };
    this.#sessions.set(id, grown);
    return grown;
  }
}
