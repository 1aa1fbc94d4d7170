import { toolsListedMax } from "#limits/counting.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";

/** How far the newest list of a server got. */
export type ListState =
  /** No answer to a request for a list arrived. */
  | "none"
  /** All pages arrived; a server may have no tools. */
  | "complete"
  /** Later pages are missing. */
  | "cut_short"
  /** A page was answered with an error, or with something that is not a list. */
  | "failed";

/** The newest `tools/list` of a server, collected page by page. */
export class ToolList {
  #tools: JsonObject[] = [];
  /** The last of each name. */
  readonly #byName = new Map<unknown, JsonObject>();
  #total = 0;
  #state: ListState = "none";

  /** At most `toolsListedMax` definitions. */
  get tools(): readonly JsonObject[] {
    return this.#tools;
  }

  /** Number of all tools listed. */
  get total(): number {
    return this.#total;
  }

  get state(): ListState {
    return this.#state;
  }

  /** True once the last page was added. */
  get isComplete(): boolean {
    return this.#state === "complete";
  }

  /** The last definition with that name: every call asks for its own. */
  find(name: string): JsonObject | undefined {
    return this.#byName.get(name);
  }

  /** Adds the result of a request with that cursor; a request without a cursor begins a new list. */
  addPage(cursor: string | undefined, result: unknown): void {
    const members = memberAt(result, "tools");
    if (!Array.isArray(members)) return this.fail(cursor);
    if (cursor === undefined) this.#begin();
    const page = members.filter(isObject);
    this.#total += page.length;
    for (const tool of page.slice(0, Math.max(0, toolsListedMax - this.#tools.length))) {
      this.#tools.push(tool);
      this.#byName.set(tool["name"], tool);
    }
    this.#state = textAt(result, "nextCursor") === undefined ? "complete" : "cut_short";
  }

  /**
   * A request with that cursor was answered with an error, or with something that is not a list. A complete list
   * stays: its client has it.
   */
  fail(cursor: string | undefined): void {
    if (this.#state === "complete") return;
    if (cursor === undefined) this.#begin();
    this.#state = "failed";
  }

  #begin(): void {
    this.#tools = [];
    this.#byName.clear();
    this.#total = 0;
  }
}
