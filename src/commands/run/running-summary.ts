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

  constructor(
    options: Pick<RunOptions, "summary" | "summaryFile">,
    ledger: Pick<Ledger, "summarize">,
  ) {
    this.#options = options;
    this.#ledger = ledger;
  }

  /** Writes the summary so far; the first time after loading the renderer. */
  save(): void {
    const { summary: format, summaryFile } = this.#options;
    if (summaryFile === undefined || format === "off") return;
    if (!this.#render) {
      void this.#load();
      return;
    }
    const summary = this.#ledger.summarize();
    if (summary.sessions === 0) return;
    replaceFile(summaryFile, this.#render(format, summary, { color: false }));
  }

  async #load(): Promise<void> {
    ({ renderSummary: this.#render } = await import("#renderers/summary.ts"));
    this.save();
  }
}
