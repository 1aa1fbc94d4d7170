import { nameError } from "#kit/errors.ts";
import { type MessageVerdict, passUnchanged } from "./verdict.ts";

// If metering an exchange fails, the rest of the exchange passes, also under limits.
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
    this.#failed(nameError(error));
  }
}
