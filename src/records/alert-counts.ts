import { toolRowsMax } from "#limits.ts";
import type { AlertRecord } from "./record.ts";
import type { AlertSummary } from "./summary.ts";

/** Alerts by kind and tool, each with the newest detail. Beyond `toolRowsMax`, new ones are dropped. */
export class AlertCounts {
  readonly #alerts = new Map<string, AlertSummary>();

  add({ alert, tool, detail }: AlertRecord): void {
    const key = `${alert}\n${tool ?? ""}`;
    const count = (this.#alerts.get(key)?.count ?? 0) + 1;
    if (count > 1 || this.#alerts.size < toolRowsMax) {
      this.#alerts.set(key, { alert, tool, detail, count });
    }
  }

  summarize(): AlertSummary[] {
    return [...this.#alerts.values()];
  }
}
