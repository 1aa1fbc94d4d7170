import { counterStores, openCounterStores } from "#state/stores/index.ts";
import type { OpenStores } from "#state/stores/store-options.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { ReportFault } from "../run/faults.ts";
import type { CounterSetting } from "../run/gate.ts";

/** Opened by the first conversation: one file or connection for any number of them. Session counters stay separate. */
export class SharedCounters {
  readonly #tell: Tell;
  #opening: Promise<OpenStores> | undefined;
  readonly #followers = new Set<() => void>();
  /** The first open conversation reports a failure. */
  readonly #reports = new Set<ReportFault>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Closing them leaves the others open. */
  readonly open = async (setting: CounterSetting, report: ReportFault): Promise<OpenStores> => {
    if (!setting.isShared) return openCounterStores({ ...setting, report });
    this.#reports.add(report);
    this.#opening ??= this.#openAll(setting);
    const { shared, save, nameServer } = await this.#opening;
    let follow: (() => void) | undefined;
    return {
      session: await counterStores.memory(),
      shared,
      save,
      nameServer,
      connect: (answered) => {
        follow = answered;
        this.#followers.add(answered);
      },
      close: () => {
        if (follow) this.#followers.delete(follow);
        this.#reports.delete(report);
        save();
      },
    };
  };

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #openAll(setting: CounterSetting): Promise<OpenStores> {
    const report: ReportFault = (sentence, what, where) => this.#report(sentence, what, where);
    const opened = await openCounterStores({ ...setting, report });
    opened.connect(() => {
      for (const answered of this.#followers) answered();
    });
    return opened;
  }

  #report(...failure: Parameters<ReportFault>): void {
    const [first] = this.#reports;
    if (first) first(...failure);
    else this.#tell(failure[0]);
  }
}
