import { replaceFile } from "#os/replace-file.ts";
import type { Ledger } from "#records/ledger.ts";
import type { RunOptions } from "./options.ts";

type Render = (typeof import("#renderers/summary.ts"))["renderSummary"];

/**
 * Keeps the summary file up to date while the session runs, so that a killed session leaves one. Failures are
 * reported at the end of the session, when the file is written for the last time.
 */
export class RunningSummary {
  readonly #options: Pick<RunOptions, "summary" | "summaryFile">;
  readonly #ledger: Pick<Ledger, "summarize">;
  #render: Render | undefined;
  /** True when it was to be saved before the renderer was there. */
  #isDue = false;

  constructor(
    options: Pick<RunOptions, "summary" | "summaryFile">,
    ledger: Pick<Ledger, "summarize">,
  ) {
    this.#options = options;
    this.#ledger = ledger;
    // Before the first call: a client may kill some milliseconds after its answer.
    if (this.#isWanted) void this.#load();
  }

  /** Writes the summary so far, as soon as the renderer is loaded. */
  save(): void {
    const { summary: format, summaryFile } = this.#options;
    if (summaryFile === undefined || format === "off") return;
    if (!this.#render) {
      this.#isDue = true;
      return;
    }
    const summary = this.#ledger.summarize();
    if (summary.sessions === 0) return;
    replaceFile(summaryFile, this.#render(format, summary, { color: false }));
  }

  get #isWanted(): boolean {
    return this.#options.summaryFile !== undefined && this.#options.summary !== "off";
  }

  async #load(): Promise<void> {
    try {
      ({ renderSummary: this.#render } = await import("#renderers/summary.ts"));
      if (this.#isDue) this.save();
    } catch {
      // The end of the session reports it.
    }
  }
}
