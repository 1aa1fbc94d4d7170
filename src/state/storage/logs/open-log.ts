import type { FileCounts, ReadLog } from "#history/imports/merge-logs.ts";
import type { Importer, LogReader, ReaderTools } from "#history/imports/importer.ts";
import type { LogEvent } from "#history/imports/log-event.ts";
import type { MemberParser } from "#history/imports/wanted-members.ts";
import { isObject, type JsonObject } from "#wire/json.ts";

export type LogTools = Omit<ReaderTools, "emit" | "countBad" | "countUnknown">;

type ReadBeginning = ReadLog & { readonly state: unknown };

export class OpenLog {
  readonly #events: LogEvent[];
  readonly #counts: { -readonly [name in keyof FileCounts]: number };
  readonly #reader: LogReader;
  readonly #parser: MemberParser | undefined;

  // If the beginning is known, takes only the lines after it, including one that was torn.
  constructor(importer: Importer, path: string, tools: LogTools, beginning?: ReadBeginning) {
    this.#events = [...(beginning?.events ?? [])];
    this.#parser = importer.lines;
    const { bad = 0, unknown = 0 } = beginning?.counts ?? {};
    this.#counts = { bad, torn: 0, unknown };
    this.#reader = importer.open(
      path,
      {
        ...tools,
        emit: (event) => void this.#events.push(event),
        countBad: () => this.skip(1),
        countUnknown: () => this.countUnknown(),
      },
      beginning?.state,
    );
  }

  get badLines(): number {
    return this.#counts.bad;
  }

  take(bytes: Buffer, from: number, to: number): void {
    if (from < to && !this.#tryTake(bytes, from, to)) this.skip(1);
  }

  takeLast(line: Buffer): boolean {
    const isWhole = line.length === 0 || this.#tryTake(line, 0, line.length);
    if (!isWhole) this.#counts.torn += 1;
    return isWhole;
  }

  takeRow(table: string, row: JsonObject): void {
    try {
      this.#reader.take({ table, row });
    } catch {
      this.skip(1);
    }
  }

  skip(lines: number): void {
    this.#counts.bad += lines;
  }

  countUnknown(): void {
    this.#counts.unknown += 1;
  }

  result(): ReadLog {
    const counts: FileCounts = { ...this.#counts };
    return { events: this.#events, counts };
  }

  state(): unknown {
    return this.#reader.state();
  }

  #tryTake(bytes: Buffer, from: number, to: number): boolean {
    const members = this.#parser?.parse(bytes, from, to);
    if (members) return this.#tryRead(members);
    const text = bytes.toString("utf8", from, to);
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) && this.#tryRead(value);
    } catch {
      return text.trim() === "";
    }
  }

  // A value nested too deeply for the reader is not a line of any client.
  #tryRead(value: JsonObject): boolean {
    try {
      this.#reader.take(value);
      return true;
    } catch {
      return false;
    }
  }
}
