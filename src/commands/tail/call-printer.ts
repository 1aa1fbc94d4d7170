import type { Io } from "#io.ts";
import { mayColor } from "#os/output.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { callLine, callLineHeads, type LinePaper } from "#renderers/call-line.ts";
import { safeJson } from "#text/unsafe-text.ts";
import { fitsChoice } from "#text/wildcard.ts";
import type { FollowedCall } from "./last-calls.ts";
import type { TailOptions } from "./options.ts";

/** Prints calls as lines: for people, or as the JSON of their records. */
export class CallPrinter {
  readonly #options: TailOptions;
  readonly #stdout: Io["stdout"];
  readonly #color: boolean;

  constructor(options: TailOptions, { stdout, env }: Pick<Io, "stdout" | "env">) {
    this.#options = options;
    this.#stdout = stdout;
    this.#color = mayColor(stdout, env);
  }

  /** True for a call of the servers and tools that the options name. */
  wants(record: MeterRecord): record is CallRecord {
    if (record.type !== "call") return false;
    const { servers, tools } = this.#options;
    return fitsChoice(servers, record.server) && fitsChoice(tools, record.tool ?? record.method);
  }

  /** A terminal gets a line with the heads of the columns. */
  printHeads(): void {
    const { isTerminal } = this.#stdout;
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
    return { color: this.#color, columns: this.#columns(), local: localTime, today };
  }

  /** Asked once: it may start a program. */
  #columns(): number | undefined {
    this.#width ??= { columns: this.#options.isWide ? undefined : this.#stdout.columns };
    return this.#width.columns;
  }

  #width: { readonly columns: number | undefined } | undefined;
}

/** The day and the time in the zone of this machine. */
function localTime(ts: string): readonly [day: string, time: string] {
  const date = new Date(ts);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
  return [day.join("-"), time.join(":")];
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
