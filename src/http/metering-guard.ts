import { asItIs, type MessageVerdict } from "./verdict.ts";

/** Keeps failures of metering from the traffic: once a part of it has failed, none of the rest is run. */
export class MeteringGuard {
  readonly #failed: (what: string) => void;
  #hasFailed = false;

  /** `failed` is called with the name of an error. */
  constructor(failed: (what: string) => void) {
    this.#failed = failed;
  }

  /** Runs a part of the metering. Does not reject. */
  async run(act: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return;
    try {
      await act();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The verdict; everything passes once metering has failed. */
  async judge(act: () => Promise<MessageVerdict>): Promise<MessageVerdict> {
    try {
      return this.#hasFailed ? asItIs : await act();
    } catch (error) {
      this.#fail(error);
      return asItIs;
    }
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    // The message of an error may quote the traffic.
    this.#failed(error instanceof Error ? error.name : "unknown");
  }
}
