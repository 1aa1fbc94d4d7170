import { toolRowsMax } from "#kit/limits.ts";
import type { AlertRecord } from "./record.ts";
import type { AlertSummary } from "./summary.ts";

/** Each with the detail of the highest one. Beyond `toolRowsMax`, new ones are dropped. */
export class AlertCounts {
  readonly #alerts = new Map<string, AlertSummary>();

  add({ alert, tool, value, detail }: AlertRecord): void {
    const key = `${alert}\n${tool ?? ""}`;
    const known = this.#alerts.get(key);
    if (known)
      this.#alerts.set(key, { ...higher(known, { value, detail }), count: known.count + 1 });
    else if (this.#alerts.size < toolRowsMax) {
      this.#alerts.set(key, { alert, tool, value, detail, count: 1 });
    }
  }

  summarize(): AlertSummary[] {
    return [...this.#alerts.values()];
  }
}

function higher(
  known: AlertSummary,
  { value, detail }: Pick<AlertSummary, "value" | "detail">,
): AlertSummary {
  return value >= known.value ? { ...known, value, detail } : known;
}
