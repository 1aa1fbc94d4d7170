import type { Io } from "#io.ts";
import { mayColor } from "#os/output.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { callLine, callLineHeads, type LinePaper } from "#renderers/call-line.ts";
import { safeJson } from "#text/unsafe-text.ts";
import { fitsChoice } from "#text/wildcard.ts";
import type { FollowedCall } from "./last-calls.ts";
import type { TailOptions } from "./options.ts";

export class CallPrinter {
  readonly #options: TailOptions;
  readonly #stdout: Io["stdout"];
  readonly #color: boolean;
  #columns: number | undefined;

  constructor(options: TailOptions, { stdout, env }: Pick<Io, "stdout" | "env">) {
    this.#options = options;
    this.#stdout = stdout;
    this.#color = mayColor(stdout, env);
  }

  wants(record: MeterRecord): record is CallRecord {
    if (record.type !== "call") return false;
    const { servers, tools } = this.#options;
    return fitsChoice(servers, record.server) && fitsChoice(tools, record.tool ?? record.method);
  }

  /** To be awaited before anything is printed. A terminal gets a line with the heads of the columns. */
  async printHeads(): Promise<void> {
    const { isTerminal } = this.#stdout;
    if (!this.#options.isWide) this.#columns = await this.#stdout.measureColumns();
    if (isTerminal && this.#options.format !== "json")
      this.#stdout.write(callLineHeads(this.#paper()));
  }

  print({ record, context }: FollowedCall): void {
    const text =
      this.#options.format === "json"
        ? `${safeJson(record)}\n`
        : callLine({ call: record, context }, this.#paper());
    this.#stdout.write(text);
  }

  #paper(): LinePaper {
    const [today] = localTime(new Date().toISOString());
    return { color: this.#color, columns: this.#columns, local: localTime, today };
  }
}

function localTime(ts: string): readonly [day: string, time: string] {
  const date = new Date(ts);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
  return [day.join("-"), time.join(":")];
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
