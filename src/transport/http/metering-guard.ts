import { asItIs, type MessageVerdict } from "./verdict.ts";

export class MeteringGuard {
  readonly #failed: (what: string) => void;
  #hasFailed = false;

  constructor(failed: (what: string) => void) {
    this.#failed = failed;
  }

  async run(act: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return;
    try {
      await act();
    } catch (error) {
      this.#fail(error);
    }
  }

  judge(
    act: () => MessageVerdict | Promise<MessageVerdict>,
  ): MessageVerdict | Promise<MessageVerdict> {
    try {
      const verdict = this.#hasFailed ? asItIs : act();
      return verdict instanceof Promise
        ? verdict.catch((error: unknown) => this.#passes(error))
        : verdict;
    } catch (error) {
      return this.#passes(error);
    }
  }

  #passes(error: unknown): MessageVerdict {
    this.#fail(error);
    return asItIs;
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    // The message of an error may quote the traffic.
    this.#failed(error instanceof Error ? error.name : "unknown");
  }
}
