import { nameError } from "#kit/errors.ts";
import { type MessageVerdict, passUnchanged } from "./verdict.ts";

// If metering an exchange fails, the rest of it passes unmetered, even with budgets or an enforced lock.
export class MeteringGuard {
  readonly #reportFailure: (error: string) => void;
  #hasFailed = false;

  constructor(reportFailure: (error: string) => void) {
    this.#reportFailure = reportFailure;
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
      const verdict = this.#hasFailed ? passUnchanged : act();
      return verdict instanceof Promise
        ? verdict.catch((error: unknown) => this.#failOpen(error))
        : verdict;
    } catch (error) {
      return this.#failOpen(error);
    }
  }

  #failOpen(error: unknown): MessageVerdict {
    this.#fail(error);
    return passUnchanged;
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#reportFailure(nameError(error));
  }
}
