import { toolRowsMax } from "#kit/limits.ts";
import { newerDefinitions, sumDefinitions } from "./definition-summary.ts";
import type { DefinitionsRecord, MeterRecord } from "./record.ts";

export class SessionContext {
  #definitions: DefinitionsRecord | undefined;
  readonly #called = new Set<string>();
  #definitionTokens = 0;
  #callTokens = 0;
  #window = 0;

  add(record: MeterRecord): void {
    if (record.type === "session") this.#window = record.window;
    if (record.type === "definitions") {
      this.#definitions = this.#definitions ? newerDefinitions(this.#definitions, record) : record;
      this.#sumDefinitions();
    }
    if (record.type !== "call") return;
    this.#callTokens += record.total_tokens;
    const { server, method, tool } = record;
    const name = `${server}\n${tool ?? ""}`;
    if (method !== "tools/call" || tool === null || this.#called.has(name)) return;
    if (this.#called.size >= toolRowsMax * 10) return;
    this.#called.add(name);
    if (this.#definitions?.is_deferred === true) this.#sumDefinitions();
  }

  get tokens(): number {
    return this.#definitionTokens + this.#callTokens;
  }

  get definitionTokens(): number {
    return this.#definitionTokens;
  }

  get share(): number | undefined {
    return this.#window > 0 ? this.tokens / this.#window : undefined;
  }

  #sumDefinitions(): void {
    const records = this.#definitions ? [this.#definitions] : [];
    const sums = sumDefinitions(records, this.#window, this.#called);
    this.#definitionTokens = sums ? sums.resident_tokens + sums.loaded_tokens : 0;
  }
}
