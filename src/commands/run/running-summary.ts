import { replaceFile } from "#kit/os/replace-file.ts";
import type { Ledgers } from "#records/ledger.ts";
import type { Summary } from "#records/summary.ts";
import type { RunOptions } from "./options.ts";

type Render = (typeof import("#screens/renderers/summary.ts"))["renderSummaries"];

/** Saved while the session runs, so that a killed one leaves a summary. Failures are reported at the end, with the last save. */
export class RunningSummary {
  readonly #options: Pick<RunOptions, "summary" | "summaryFile">;
  readonly #ledgers: Pick<Ledgers, "summarize">;
  #render: Render | undefined;
  #isDue = false;

  constructor(
    options: Pick<RunOptions, "summary" | "summaryFile">,
    ledgers: Pick<Ledgers, "summarize">,
  ) {
    this.#options = options;
    this.#ledgers = ledgers;
    // Before the first call: a client may kill some milliseconds after its answer.
    if (this.#isWanted) void this.#load();
  }

  save(): void {
    const { summary: format, summaryFile } = this.#options;
    if (summaryFile === undefined || format === "off") return;
    if (!this.#render) {
      this.#isDue = true;
      return;
    }
    const summaries = this.#ledgers.summarize();
    if (!hasSession(summaries)) return;
    replaceFile(summaryFile, this.#render(format, summaries, { color: false }));
  }

  get #isWanted(): boolean {
    return this.#options.summaryFile !== undefined && this.#options.summary !== "off";
  }

  async #load(): Promise<void> {
    try {
      ({ renderSummaries: this.#render } = await import("#screens/renderers/summary.ts"));
      if (this.#isDue) this.save();
    } catch {
      // The end of the session reports it.
    }
  }
}

export function hasSession(summaries: readonly Summary[]): boolean {
  return summaries.some(({ sessions }) => sessions > 0);
}
